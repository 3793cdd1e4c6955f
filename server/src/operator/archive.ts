import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** One entry of an archive: JSON lines in gzip, so that it can be read with zcat and never has to fit in memory. */
export type Entry =
  | { kind: 'head'; format: 'keystall-backup'; version: 1; madeAt: string; migrations: string[]; keyPrint: string }
  | { kind: 'rows'; table: string; rows: unknown[] }
  | { kind: 'blob'; key: string; bytes: string; isLast: boolean }
  | { kind: 'end'; tables: Record<string, number>; blobs: number }

/** Written beside and renamed: a file of the given name is always whole. */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const unfinished = `${file}.part`
  const gzip = createGzip({ level: 6 })
  const output = gzip.pipe(createWriteStream(unfinished, { mode: 0o600 }))
  try {
    for await (const entry of entries) {
      if (!gzip.write(`${JSON.stringify(entry)}\n`)) await new Promise((resolve) => gzip.once('drain', resolve))
    }
    gzip.end()
    await finished(output)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const source = createReadStream(file)
  const text = source.pipe(createGunzip()).pipe(new PassThrough())
  source.once('error', (error) => text.destroy(error))
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    if (line !== '') yield JSON.parse(line) as Entry
  }
}
