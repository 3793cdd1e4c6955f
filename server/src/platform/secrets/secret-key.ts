import { hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The one secret of an installation; every other key is derived from it, one per purpose. */
export interface SecretKey {
  /** The same 32 bytes for the same purpose, unrelated ones for every other. */
  derive(purpose: string): Buffer
}

export const secretKeyCharactersMin = 16

/** From the setting when there is one; else made once and kept in the data folder. */
export async function loadSecretKey(settings: { secretKey?: string | undefined; dataDir: string }): Promise<SecretKey> {
  if (settings.secretKey === undefined) return secretKeyOf(await keptKey(settings.dataDir))
  if (settings.secretKey.length < secretKeyCharactersMin) {
    throw new Error(`SECRET_KEY must have at least ${secretKeyCharactersMin} characters`)
  }
  return secretKeyOf(bytesOf(settings.secretKey))
}

export function secretKeyOf(master: Buffer): SecretKey {
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', master, 'keystall', purpose, 32)),
  }
}

/** 32 bytes written as hex or base64 are those bytes; any other text is taken as it is. */
function bytesOf(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  return Buffer.from(text, 'utf8')
}

async function keptKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret.key')
  const kept = await readKept(path)
  if (kept) return kept

  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // A link fails when the name exists: of two processes starting at once, both read the first one's key.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  const made = await readKept(path)
  if (!made) throw new Error(`cannot read ${path}`)
  return made
}

async function readKept(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  if (!/^[0-9a-f]{64}$/.test(text.trim())) throw new Error(`${path} does not hold a key of 64 hex digits`)
  await chmod(path, 0o600)
  return Buffer.from(text.trim(), 'hex')
}
