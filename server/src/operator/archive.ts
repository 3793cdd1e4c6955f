import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CommandMistake } from './mistake.ts'

export const archiveVersion = 2

/** One entry of an archive: JSON lines in gzip, so that it can be read with zcat and never has to fit in memory. */
export type Entry =
  | {
      kind: 'head'
      format: 'keystall-backup'
      version: typeof archiveVersion
      madeAt: string
      migrations: string[]
      /** Of the key that seals the secrets in it. */
      keyPrint: string
      /** With it and the passphrase that key is made; null when it is the installation's own. */
      salt: string | null
    }
  /** Each row is the text of its JSON. */
  | { kind: 'rows'; table: string; rows: string[] }
  | { kind: 'blob'; key: string; bytes: string; isLast: boolean }
  | { kind: 'end'; tables: Record<string, number>; blobs: number }

/** Written beside and renamed: a file of the given name is always whole. */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const unfinished = `${file}.part`
  const gzip = createGzip({ level: 6 })
  const written = pipeline(gzip, createWriteStream(unfinished, { mode: 0o600 }))
  written.catch(() => {})
  try {
    for await (const entry of entries) {
      if (gzip.destroyed) break
      if (gzip.write(`${JSON.stringify(entry)}\n`)) continue
      await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), written])
    }
    gzip.end()
    await written
    await rename(unfinished, file)
  } catch (error) {
    gzip.destroy()
    await rm(unfinished, { force: true })
    throw asMistake(error, file)
  }
}

export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const text = createGunzip()
  // Whatever is wrong with the file is thrown where its lines are read.
  pipeline(createReadStream(file), text).catch((error) => text.destroy(error))
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      if (line !== '') yield JSON.parse(line) as Entry
    }
    await finished(text)
  } catch (error) {
    throw asMistake(error, file)
  }
}

/** What the operating system or the file itself refuses is the operator's to mend, and told in one line. */
function asMistake(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const isOfFile = error instanceof SyntaxError || ('code' in error && !('severity' in error))
  if (!isOfFile) return error
  return new CommandMistake(`${file} cannot be used: ${error.message}`)
}
