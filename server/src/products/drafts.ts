import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Whose drafts lie in a folder is in its name, so that those of the dead can be told from those of the living. */
const owner = { host: hostname().replace(/[^\w.-]/g, '_'), pid: process.pid, token: randomBytes(6).toString('hex') }
const own = `${owner.host}+${owner.pid}+${owner.token}`
/** Of a machine that cannot be asked. */
const foreignHoursMax = 24

/** A folder on the disk for one upload. Gone when the work is done; when the process dies, somebody else removes it. */
export async function withDraftFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(draftsOf(dataDir), own, randomBytes(8).toString('hex'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(draftsOf(dataDir)).catch(() => [])) {
    const path = join(draftsOf(dataDir), name)
    if (await isAbandoned(name, path)) await rm(path, { recursive: true, force: true })
  }
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  if (name === own) return false
  const [host, pid] = name.split('+')
  if (host === owner.host) return Number(pid) === owner.pid || !isAlive(Number(pid))
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && Date.now() - facts.mtimeMs > foreignHoursMax * 60 * 60 * 1000
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function draftsOf(dataDir: string): string {
  return join(dataDir, 'uploads-under-way')
}
