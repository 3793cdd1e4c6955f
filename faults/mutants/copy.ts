import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The tree as it is, uncommitted changes included, with packages by link and our own workspaces as copies. */
export function copyTree(root: string, to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.split('\0').filter(Boolean)) {
    // Deleted, and not committed yet.
    if (!existsSync(join(root, file))) continue
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file), { force: true })
  }
  linkPackages(join(root, 'node_modules'), join(to, 'node_modules'))
}

function linkPackages(from: string, to: string): void {
  const ours = '@keystall'
  mkdirSync(join(to, ours), { recursive: true })
  for (const name of readdirSync(from)) if (name !== ours) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, ours))) symlinkSync(join('../..', name), join(to, ours, name))
}
