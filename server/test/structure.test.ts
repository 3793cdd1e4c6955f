import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { assert, describe, test } from 'vitest'
import { implementationsOf } from '#implementations'
import { type Import, importsOf, root, sourceFiles } from './imports.ts'

/** In the order in which modules may know each other: each only those before it. */
const modules = [
  'account',
  'audit-log',
  'apps',
  'keys',
  'oauth2',
  'events',
  'webhooks',
  'customers',
  'affiliates',
  'coupons',
  'products',
  'product-groups',
  'stores',
  'members',
  'faq',
  'custom-domain',
  'credit',
  'payments',
  'cryptocurrency',
  'subscriptions',
  'orders',
  'tickets',
  'reviews',
  'reports',
  'privacy',
  'analytics',
  'user',
]
/** The only places that know every module. */
const keepers = new Set(['app', 'background', 'gate', 'implementations'].map((name) => `server/src/${name}.ts`))
const files = sourceFiles()
const imports = files
  .flatMap(importsOf)
  .filter((each) => !each.from.endsWith('.test.ts') && !each.from.endsWith('.test.tsx'))
const ours = imports.filter(({ isOurs }) => isOurs)

function offenders(isForbidden: (each: Import) => boolean): string[] {
  return imports.filter(isForbidden).map(({ from, to }) => `${from} → ${to}`)
}

function moduleOf(file: string): string | undefined {
  const [, name] = /^server\/src\/([^/]+)\//.exec(file) ?? []
  return name !== undefined && modules.includes(name) ? name : undefined
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

test('what an index must hold for a conflict is no parameter', () => {
  // Planned once for all values, the statement finds no index: it fails after the fifth time on one connection.
  const predicates = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/onConflict\((?:(?!\.do[NU]).)*?\.where\(([^\n]*?)\)\.do/gs),
    ].map(([, predicate = '']) => `${file}: ${predicate}`),
  )
  assert.isAbove(predicates.length, 3)
  assert.deepEqual(
    predicates.filter((each) => !/'is', null|sql\.lit\(/.test(each)),
    [],
  )
})

describe('who imports whom', () => {
  test('every import of ours names a file that is there', () => {
    assert.deepEqual(
      ours.filter(({ to }) => !existsSync(join(root, to))).map(({ from, to }) => `${from} → ${to}`),
      [],
    )
  })

  test('no file imports itself through others', () => {
    assert.deepEqual(cycles(), [])
  })

  test('the contract imports typebox and itself', () => {
    assert.deepEqual(
      offenders(
        ({ from, to }) => from.startsWith('contract/') && !to.startsWith('contract/') && to.split('/')[0] !== 'typebox',
      ),
      [],
    )
  })

  test('the web apps know nothing of the server', () => {
    assert.deepEqual(
      offenders(({ from, to }) => /^(dashboard|storefront)\//.test(from) && to.startsWith('server/')),
      [],
    )
  })

  test('the platform knows no module but the types of its tables', () => {
    const isKnown = (to: string) =>
      to.startsWith('server/src/platform/') ||
      /^server\/src\/(problem|config)\.ts$/.test(to) ||
      fileNameOf(to) === 'tables.ts'
    assert.deepEqual(
      offenders(
        ({ from, to, isOurs }) =>
          from.startsWith('server/src/platform/') && isOurs && to.startsWith('server/') && !isKnown(to),
      ),
      [],
    )
  })

  test('a module knows only those before it', () => {
    assert.deepEqual(
      offenders(({ from, to }) => {
        const [knower, known] = [moduleOf(from), moduleOf(to)]
        return (
          knower !== undefined &&
          known !== undefined &&
          fileNameOf(to) !== 'tables.ts' &&
          modules.indexOf(known) > modules.indexOf(knower)
        )
      }),
      [],
    )
  })

  test('routes, queries and jobs are private to their module', () => {
    const isPrivate = (to: string) => /(^|-)(routes|queries|jobs)\.ts$/.test(fileNameOf(to))
    assert.deepEqual(
      offenders(({ from, to }) => {
        const [knower, known] = [moduleOf(from), moduleOf(to)]
        const isKeeper = keepers.has(from) || /^(bench|faults)\//.test(from)
        return known !== undefined && known !== knower && isPrivate(to) && !isKeeper
      }),
      [],
    )
  })

  test('only routes and pages speak HTTP', () => {
    assert.deepEqual(
      offenders(
        ({ from, to, isTypeOnly }) =>
          moduleOf(from) !== undefined &&
          to.startsWith('server/src/platform/http/') &&
          !isTypeOnly &&
          !/(routes|pages)\.ts$/.test(from),
      ),
      [],
    )
  })

  test('queries call no rules of their module', () => {
    assert.deepEqual(
      offenders(
        ({ from, to, isTypeOnly }) =>
          fileNameOf(from) === 'queries.ts' &&
          moduleOf(to) !== undefined &&
          !isTypeOnly &&
          !/(queries|tables|parts)\.ts$/.test(to),
      ),
      [],
    )
  })

  test('tables hold types and import nothing of ours', () => {
    assert.deepEqual(
      offenders(({ from, isOurs }) => moduleOf(from) !== undefined && fileNameOf(from) === 'tables.ts' && isOurs),
      [],
    )
  })
})

describe('names', () => {
  const vague = /^(utils?|helpers?|common|lib|misc|shared|core|services?|managers?|index)$/

  test('no file or folder is named for nothing', () => {
    const named = files
      .filter((file) => file !== 'contract/src/endpoints/index.ts')
      .filter((file) => file.split('/').some((part) => vague.test(part.replace(/\.tsx?$/, ''))))
    assert.deepEqual(named, [])
  })

  test('files are named in kebab case, components as they are', () => {
    const odd = files.filter((file) => {
      const name = fileNameOf(file)
      return (
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|config))?\.tsx?$/.test(name) && !/^[A-Z][A-Za-z0-9]*\.tsx$/.test(name)
      )
    })
    assert.deepEqual(odd, [])
  })
})

describe('endpoints', () => {
  test('the list of endpoints is the one that was reviewed', () => {
    const golden = join(root, 'server/test/endpoints.golden')
    const present = Object.entries<Endpoint>(endpoints)
      .map(([name, { method, path, access }]) => `${method.padEnd(6)} ${path}  ${access}  ${name}`)
      .sort()
      .join('\n')
    if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, `${present}\n`)
    assert.equal(`${present}\n`, readFileSync(golden, 'utf8'))
  })

  test('each is built, and once', () => {
    const built = implementationsOf({ isDraining: false, hasSuccessor: false }).map(({ endpoint }) => endpoint)
    const times = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
      name,
      times: built.filter((each) => each === endpoint).length,
    }))
    assert.deepEqual(
      times.filter((each) => each.times !== 1),
      [],
    )
    assert.equal(built.length, times.length)
  })

  test('reading a path from right to left, the first segment that names a folder has the endpoint', () => {
    const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .filter((name) => !['platform', 'views', 'operator'].includes(name))
    const implemented = new Map(
      files
        .filter((file) => /^server\/src\/[^/]+\/[^/]*routes\.ts$/.test(file))
        .flatMap((file) =>
          [...readFileSync(join(root, file), 'utf8').matchAll(/implement\(\s*\w+\.(\w+)/g)].map(
            ([, name]) => [name, file] as const,
          ),
        ),
    )
    const misplaced = Object.entries<Endpoint>(endpoints).flatMap(([name, { path }]) => {
      const file = implemented.get(name)
      const folder = folderOf(path, folders)
      return file === undefined || folder === undefined || file.startsWith(`server/src/${folder}/`)
        ? []
        : [`${path}: ${file}`]
    })
    assert.deepEqual(misplaced, [])
  })
})

function folderOf(path: string, folders: string[]): string | undefined {
  for (const segment of path.split('/').reverse()) {
    const folder = folders.find(
      (name) => segment === name || segment.endsWith(`-${name}`) || segment === name.replace(/s$/, ''),
    )
    if (segment !== '' && folder) return folder
  }
  return undefined
}

/** Depth-first; each cycle is told once, from the file where it was found. */
function cycles(): string[] {
  // Queries may name the types of the rules that call them.
  const counted = ours.filter(({ from, isTypeOnly }) => !(isTypeOnly && fileNameOf(from) === 'queries.ts'))
  const graph = Map.groupBy(counted, ({ from }) => from)
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, trail: string[]): void => {
    const seenAt = trail.indexOf(file)
    if (seenAt >= 0) {
      found.push([...trail.slice(seenAt), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}
