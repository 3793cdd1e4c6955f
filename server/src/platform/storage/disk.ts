import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMeasure } from './measure.ts'
import { checkKey, type ListedBlob, type Storage, type StoredBlob, StorageUnavailable } from './storage.ts'

const unfinishedFolder = '.unfinished'
/** A living upload writes more often than this; what is older was left by a process that died. */
const unfinishedMs = 30_000

export async function createDiskStorage(root: string): Promise<Storage> {
  const unfinished = join(root, unfinishedFolder)
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  /** Those of this process are alive, whatever the clock says. */
  const own = new Set<string>()
  await removeLeftOvers()

  function pathOf(key: string): string {
    checkKey(key)
    return join(root, key)
  }

  async function put(key: string, stream: Readable, { bytesMax }: { bytesMax: number }): Promise<StoredBlob> {
    const path = pathOf(key)
    const draft = join(unfinished, randomBytes(16).toString('hex'))
    const measure = createMeasure(bytesMax)
    own.add(draft)
    try {
      await pipeline(stream, measure.stream, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(draft, path)
      await syncFolder(dirname(path))
      return measure.result()
    } catch (error) {
      await rm(draft, { force: true })
      throw translated(error)
    } finally {
      own.delete(draft)
    }
  }

  async function removeLeftOvers(): Promise<void> {
    for await (const entry of await opendir(unfinished)) {
      const path = join(unfinished, entry.name)
      const facts = own.has(path) ? undefined : await stat(path).catch(undefinedIfMissing)
      if (facts && Date.now() - facts.mtimeMs > unfinishedMs) await rm(path, { force: true })
    }
  }

  return {
    put,

    async read(key, range) {
      const file = await open(pathOf(key), 'r').catch(undefinedIfMissing)
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        return { stream: file.createReadStream(range ?? {}), bytes: size }
      } catch (error) {
        await file.close()
        throw translated(error)
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true }).catch((error) => {
        throw translated(error)
      })
    },

    async exists(key) {
      return (await stat(pathOf(key)).catch(undefinedIfMissing)) !== undefined
    },

    list: (prefix) => listFiles(root, prefix),

    removeLeftOvers,
  }
}

async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedBlob> {
  // Whole folders of the prefix are gone to directly.
  const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
  if (folder) checkKey(folder)
  const found = await opendir(join(root, folder), { recursive: true }).catch(undefinedIfMissing)
  for await (const entry of found ?? []) {
    const path = join(entry.parentPath, entry.name)
    const key = relative(root, path).split(sep).join('/')
    if (!entry.isFile() || key.startsWith(`${unfinishedFolder}/`) || !key.startsWith(prefix)) continue
    const facts = await stat(path).catch(undefinedIfMissing)
    if (facts) yield { key, bytes: facts.size, modifiedAt: facts.mtime }
  }
}

/** Without it a power cut may take back the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

const passingCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
  'ESTALE',
  'ENODEV',
])

function translated(error: unknown): unknown {
  return passingCodes.has(codeOf(error)) ? new StorageUnavailable(error) : error
}

function undefinedIfMissing(error: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
  throw translated(error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
