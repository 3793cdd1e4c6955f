import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Writes docs/licences.md: what everything that the product is made of may be used under, as the lock file has it.

const root = new URL('..', import.meta.url)
const page = new URL('docs/licences.md', root)

/** Free to use, to change and to pass on with a notice; what else they ask is said on the page. */
const known: Record<string, string> = {
  '0BSD': '',
  'Apache-2.0': '',
  'BlueOak-1.0.0': '',
  'BSD-2-Clause': '',
  'BSD-3-Clause': '',
  'CC-BY-4.0': 'Data of DB-IP and RouteViews about networks, named in `docs/dependencies.md`.',
  'CC0-1.0': '',
  ISC: '',
  'LGPL-3.0-or-later': 'libvips, a library of its own that is loaded by sharp and can be replaced.',
  MIT: '',
  'MIT-0': '',
  'MPL-2.0': 'Lightning CSS, unchanged, used by the build alone.',
  'OFL-1.1': 'Typefaces, passed on with their licence.',
  'PSF-2.0': '',
  'Python-2.0': '',
  Unlicense: '',
  Zlib: '',
}

/** Whose package says it in a file instead of a field; looked at by hand. */
const readByHand: Record<string, string> = {
  'png-js': 'MIT',
  '@ip-location-db/asn': 'CC-BY-4.0',
}

export interface Licensed {
  name: string
  version: string
  licence: string
  isDirect: boolean
}

/** All that is installed to run the product, without what only tests and checks need. */
export function licensed(): Licensed[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))
  const entries = Object.entries<Record<string, unknown>>(packages)
  const direct = new Set(
    entries
      .filter(([path]) => !path.includes('node_modules/'))
      .flatMap(([, own]) =>
        [own['dependencies'], own['optionalDependencies']].flatMap((each) => Object.keys(each ?? {})),
      ),
  )
  const found = new Map<string, Licensed>()
  for (const [path, entry] of entries) {
    if (!path.includes('node_modules/') || entry['link'] || entry['dev'] || entry['devOptional']) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const version = String(entry['version'])
    const licence = readByHand[name] ?? String(entry['license'] ?? 'none')
    found.set(`${name} ${version}`, { name, version, licence, isDirect: direct.has(name) })
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Those that ask for something which nobody here has agreed to. */
export function unknownLicences(all: Licensed[]): string[] {
  return all
    .filter(({ licence }) => partsOf(licence).some((part) => !(part in known)))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence}`)
}

function partsOf(licence: string): string[] {
  return licence.replace(/[()]/g, '').split(/ AND | OR /)
}

export function licencePage(all: Licensed[]): string {
  const licences = [...new Set(all.flatMap(({ licence }) => partsOf(licence)))].toSorted()
  const counted = licences.map((licence) => {
    const count = all.filter((each) => partsOf(each.licence).includes(licence)).length
    return `| ${licence} | ${count} | ${known[licence] ?? ''} |`
  })
  const rows = all.map(
    ({ name, version, licence, isDirect }) => `| ${isDirect ? `**${name}**` : name} | ${version} | ${licence} |`,
  )
  return [
    '# Licences',
    '',
    'Keystall is under the Apache License 2.0. This is what it is made of when it runs, by the lock file; what only tests',
    'and checks need is left out. Direct dependencies are bold. `node scripts/licences.ts` writes this page; a test refuses',
    'a package whose licence nobody has looked at.',
    '',
    '| Licence | Packages | |',
    '|---|---|---|',
    ...counted,
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = licensed()
  const unknown = unknownLicences(all)
  if (unknown.length > 0) {
    console.error(`Look at these licences first:\n${unknown.join('\n')}`)
    process.exit(1)
  }
  writeFileSync(page, licencePage(all))
}
