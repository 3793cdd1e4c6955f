import { spawnSync } from 'node:child_process'

const nobody = 65534
const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']

/** As whom PostgreSQL runs. It refuses root. */
export interface Identity {
  /** Words before the program's own. */
  prefix: string[]
  /** Who must own its files, in the eyes of this process. */
  owner: { uid: number; gid: number }
  spawn: { uid?: number; gid?: number }
}

export type IdentityKind = 'self' | 'namespace' | 'nobody'

export function findIdentity(): IdentityKind {
  if (process.getuid?.() !== 0) return 'self'
  const [program = '', ...args] = [...namespace, 'true']
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? 'namespace' : 'nobody'
}

export function identityOf(kind: IdentityKind): Identity {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  switch (kind) {
    case 'self':
      return { prefix: [], owner: self, spawn: {} }
    case 'namespace':
      // Root outside, nobody inside: the files stay root's, and a folder like /root stays reachable.
      return { prefix: namespace, owner: self, spawn: {} }
    case 'nobody':
      return { prefix: [], owner: { uid: nobody, gid: nobody }, spawn: { uid: nobody, gid: nobody } }
  }
}
