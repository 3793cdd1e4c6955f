import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Import {
  from: string
  /** A file of ours, relative to the root, or the name of a package. */
  to: string
  isOurs: boolean
  isTypeOnly: boolean
}

/** Every TypeScript file of the workspaces, relative to the root. */
export function sourceFiles(): string[] {
  return globSync('{contract,server,dashboard,storefront,scripts,bench,faults,browser}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => normalize(file))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort()
}

const statement = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = [...text.matchAll(statement)].map(([, type, to]) => ({
    to: to ?? '',
    isTypeOnly: type !== undefined,
  }))
  const calls = [...text.matchAll(dynamic)].map(([, to]) => ({ to: to ?? '', isTypeOnly: false }))
  return [...statements, ...calls].map(({ to, isTypeOnly }) => ({ from: file, isTypeOnly, ...resolve(file, to) }))
}

function resolve(file: string, to: string): { to: string; isOurs: boolean } {
  if (to.startsWith('.')) return { to: relative(root, join(root, dirname(file), to)), isOurs: true }
  if (to.startsWith('#test/')) return { to: `server/test/${to.slice('#test/'.length)}.ts`, isOurs: true }
  if (to.startsWith('#')) return { to: `server/src/${to.slice(1)}.ts`, isOurs: true }
  const [, workspace, path] = /^@keystall\/(contract|storefront)\/(.+)$/.exec(to) ?? []
  if (workspace) return { to: `${workspace}/src/${path}.ts`, isOurs: true }
  return { to, isOurs: false }
}
