import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, onTestFinished, test } from 'vitest'
import { startS3 } from '#test/s3'
import { openStorage } from './open.ts'
import { type ListedBlob, type Storage, StorageUnavailable } from './storage.ts'

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keystall-storage-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function onDisk() {
  const dataDir = await aFolder()
  const uploads = join(dataDir, 'uploads')
  const leftOvers = async () => (await readdir(join(uploads, '.unfinished'))).length
  return { storage: await openStorage({ storageUrl: undefined, dataDir }), uploads, leftOvers }
}

async function onS3() {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const storage = await openStorage({ storageUrl: new URL(s3.url), dataDir: '' })
  return { storage, leftOvers: async () => s3.uploads.size }
}

const bytesMax = 100 * 1024 * 1024

async function contentOf(
  storage: Storage,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer | undefined> {
  const found = await storage.read(key, range)
  return found && buffer(found.stream)
}

async function listOf(storage: Storage, prefix: string): Promise<ListedBlob[]> {
  const found: ListedBlob[] = []
  for await (const blob of storage.list(prefix)) found.push(blob)
  return found
}

const bigEnough = 20 * 1024 * 1024

describe.each([
  { name: 'the disk', open: onDisk },
  { name: 'an object storage', open: onS3 },
])('$name', ({ open }) => {
  test.each([0, 5, bigEnough])('gives back the %i bytes it was given, whole and in part', async (size) => {
    const { storage, leftOvers } = await open()
    const content = randomBytes(size)
    const stored = await storage.put('files/a-1/b.bin', Readable.from(chunksOf(content)), { bytesMax })
    assert.deepEqual(stored, { bytes: size, sha256: createHash('sha256').update(content).digest('hex') })
    assert.ok(content.equals((await contentOf(storage, 'files/a-1/b.bin')) ?? Buffer.alloc(1)))
    assert.equal(await leftOvers(), 0)
    if (size === 0) return
    const part = await storage.read('files/a-1/b.bin', { start: 1, end: 3 })
    assert.equal(part?.bytes, size)
    assert.ok(content.subarray(1, 4).equals(await buffer(part.stream)))
  })

  test('replaces, finds, lists and removes', async () => {
    const { storage } = await open()
    for (const [key, text] of Object.entries({ 'a/1': 'old', 'a/2': 'two', 'ab/3': 'three' })) {
      await storage.put(key, Readable.from([Buffer.from(text)]), { bytesMax })
    }
    await storage.put('a/1', Readable.from([Buffer.from('new')]), { bytesMax })
    assert.equal((await contentOf(storage, 'a/1'))?.toString(), 'new')
    assert.deepEqual((await listOf(storage, 'a/')).map(({ key, bytes }) => `${key} ${bytes}`).toSorted(), [
      'a/1 3',
      'a/2 3',
    ])
    assert.equal((await listOf(storage, '')).length, 3)
    await storage.remove('a/1')
    await storage.remove('a/1')
    assert.equal(await storage.exists('a/1'), false)
    assert.equal(await storage.exists('a/2'), true)
    assert.equal(await storage.read('a/1'), undefined)
  })

  test.each([
    '../x',
    'a/../x',
    '/etc/passwd',
    'a//b',
    '.unfinished/x',
    'a/.b',
    'a\\b',
    'a\u0000',
    '',
    'a/',
    'x'.repeat(600),
  ])('the key %j is refused', async (key) => {
    const { storage } = await open()
    await assert.rejects(storage.put(key, Readable.from([]), { bytesMax }), /storage key/)
    await assert.rejects(storage.read(key), /storage key/)
    await assert.rejects(storage.remove(key), /storage key/)
  })

  test('too many bytes are refused, and the old ones stay', async () => {
    const { storage, leftOvers } = await open()
    await storage.put('a', Readable.from([Buffer.from('old')]), { bytesMax })
    for (const size of [11, bigEnough]) {
      const lost = storage.put('a', Readable.from(chunksOf(Buffer.alloc(size))), { bytesMax: size - 1 })
      await assert.rejects(lost, { code: 'PayloadTooLarge' })
    }
    await storage.put('b', Readable.from([Buffer.alloc(10)]), { bytesMax: 10 })
    assert.equal((await contentOf(storage, 'a'))?.toString(), 'old')
    assert.equal(await leftOvers(), 0)
  })

  test('an upload that is cut leaves nothing', async () => {
    const { storage, leftOvers } = await open()
    for (const size of [5, bigEnough]) {
      const cut = new Readable({ read() {} })
      cut.push(Buffer.alloc(size))
      const lost = storage.put('a', cut, { bytesMax })
      setTimeout(() => cut.destroy(new Error('the socket closed')), 50)
      await assert.rejects(lost, /socket closed/)
      const silent = new Readable({ read() {} })
      const alsoLost = storage.put('a', silent, { bytesMax })
      setTimeout(() => silent.destroy(), 20)
      await assert.rejects(alsoLost)
    }
    assert.equal(await storage.exists('a'), false)
    assert.equal(await leftOvers(), 0)
  })
})

describe('on the disk', () => {
  test('readers of a file that is replaced see one whole version', async () => {
    const { storage } = await onDisk()
    const versions = [1, 2].map((fill) => Buffer.alloc(3 * 1024 * 1024, fill))
    const write = (version: number) =>
      storage.put('a', Readable.from(chunksOf(versions[version] ?? Buffer.alloc(0))), { bytesMax })
    await write(0)
    const reads = Array.from({ length: 20 }, async (_, index) => {
      if (index % 4 === 0) await write(index % 8 === 0 ? 1 : 0)
      const content = await contentOf(storage, 'a')
      assert.ok(versions.some((version) => content && version.equals(content)))
    })
    await Promise.all(reads)
  })

  test('only the owner can read, and what a dead process left is swept', async () => {
    const { storage, uploads } = await onDisk()
    await storage.put('a/b', Readable.from([Buffer.from('x')]), { bytesMax })
    assert.equal((await stat(join(uploads, 'a/b'))).mode & 0o777, 0o600)
    assert.equal((await stat(join(uploads, 'a'))).mode & 0o777, 0o700)
    const [old, young] = ['old', 'young'].map((name) => join(uploads, '.unfinished', name))
    assert.ok(old && young)
    await writeFile(old, 'x')
    await writeFile(young, 'x')
    await utimes(old, new Date(0), new Date(0))
    await openStorage({ storageUrl: undefined, dataDir: join(uploads, '..') })
    assert.deepEqual(await readdir(join(uploads, '.unfinished')), ['young'])
    await rm(young)

    const slow = new PassThrough()
    const living = storage.put('c', slow, { bytesMax })
    slow.write('x')
    while ((await readdir(join(uploads, '.unfinished'))).length === 0) await sleep(5)
    for (const name of await readdir(join(uploads, '.unfinished')))
      await utimes(join(uploads, '.unfinished', name), new Date(0), new Date(0))
    await writeFile(old, 'x')
    await utimes(old, new Date(0), new Date(0))
    await storage.removeLeftOvers()
    assert.ok(!(await readdir(join(uploads, '.unfinished'))).includes('old'))
    slow.end()
    assert.equal((await living).bytes, 1)
  })

  test('a full disk is unavailable, and the old file stays whole', async ({ skip }) => {
    const dataDir = await aFolder()
    const mounted = join(dataDir, 'uploads')
    await mkdir(mounted)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted], { stdio: 'ignore' })
    } catch {
      skip('mounting a small disk needs root')
    }
    onTestFinished(() => void execFileSync('umount', ['-l', mounted]))
    const storage = await openStorage({ storageUrl: undefined, dataDir })
    await storage.put('a', Readable.from([Buffer.from('old')]), { bytesMax })
    const lost = storage.put('a', Readable.from(chunksOf(Buffer.alloc(2 * 1024 * 1024))), { bytesMax })
    await assert.rejects(lost, StorageUnavailable)
    assert.equal((await contentOf(storage, 'a'))?.toString(), 'old')
    assert.deepEqual(await readdir(join(mounted, '.unfinished')), [])
  })
})

test('an object storage that is away is unavailable', async () => {
  const storage = await openStorage({ storageUrl: new URL('s3://a:b@127.0.0.1:9/bucket?tls=off'), dataDir: '' })
  await assert.rejects(storage.read('a'), StorageUnavailable)
  await assert.rejects(storage.put('a', Readable.from([Buffer.from('x')]), { bytesMax }), StorageUnavailable)
})

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += 65_536) yield content.subarray(start, start + 65_536)
}
