import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Swift, startSwift, swiftMissing } from '#test/swift'
import { openStorage } from './open.ts'
import type { Storage } from './storage.ts'

const missing = swiftMissing()
if (missing !== undefined) console.warn(`The tests against a real object storage did not run: ${missing}`)

const bytesMax = 100 * 2 ** 20

describe.skipIf(missing !== undefined)('a real object storage (OpenStack Swift, by its S3 interface)', () => {
  let swift: Swift
  let storage: Storage

  beforeAll(async () => {
    swift = await startSwift()
    await makeBucket(swift.storageUrl)
    storage = await openStorage({ storageUrl: swift.storageUrl, dataDir: '' })
  }, 60_000)
  afterAll(() => swift?.stop())

  test.each([1, 100_000, 20 * 2 ** 20])('gives back the %i bytes it was given, whole and in part', async (size) => {
    const content = randomBytes(size)
    const key = `files/store/${size}`
    const stored = await storage.put(key, Readable.from(chunksOf(content)), { bytesMax })
    assert.deepEqual(stored, { bytes: size, sha256: createHash('sha256').update(content).digest('hex') })
    const whole = await storage.read(key)
    assert.equal(whole?.bytes, size)
    assert.ok(content.equals(await buffer(whole.stream)))
    const range = { start: Math.floor(size / 3), end: size - 1 }
    const part = await storage.read(key, range)
    assert.equal(part?.bytes, size)
    assert.ok(content.subarray(range.start).equals(await buffer(part.stream)))
  })

  test('replaces, finds, lists and removes', async () => {
    await storage.put('a/1', Readable.from([Buffer.from('old')]), { bytesMax })
    await storage.put('a/1', Readable.from([Buffer.from('newer')]), { bytesMax })
    await storage.put('b/2', Readable.from([Buffer.from('x')]), { bytesMax })
    const listed: string[] = []
    for await (const { key, bytes } of storage.list('a/')) listed.push(`${key} ${bytes}`)
    assert.deepEqual(listed, ['a/1 5'])
    await storage.remove('a/1')
    await storage.remove('a/1')
    assert.equal(await storage.exists('a/1'), false)
    assert.equal(await storage.read('a/1'), undefined)
    assert.equal(await storage.exists('b/2'), true)
  })

  test('too many bytes are refused, and the old ones stay', async () => {
    await storage.put('c/1', Readable.from([Buffer.from('old')]), { bytesMax })
    const large = Readable.from(chunksOf(randomBytes(12 * 2 ** 20)))
    await assert.rejects(storage.put('c/1', large, { bytesMax: 10 * 2 ** 20 }), { code: 'PayloadTooLarge' })
    const found = await storage.read('c/1')
    assert.equal(found && (await buffer(found.stream)).toString(), 'old')
  })

  test('an upload that is cut leaves nothing', async () => {
    const cut = Readable.from(
      (async function* () {
        yield randomBytes(9 * 2 ** 20)
        throw new Error('gone')
      })(),
    )
    await assert.rejects(storage.put('d/1', cut, { bytesMax }))
    assert.equal(await storage.exists('d/1'), false)
  })

  test('another secret is refused', async () => {
    const url = new URL(swift.storageUrl)
    url.password = 'wrong'
    const stranger = await openStorage({ storageUrl: url, dataDir: '' })
    await assert.rejects(stranger.put('e/1', Readable.from([Buffer.from('x')]), { bytesMax }))
    assert.equal(await storage.exists('e/1'), false)
  })
})

async function makeBucket(url: URL): Promise<void> {
  const client = new S3Client({
    endpoint: `http://${url.host}`,
    region: 'us-east-1',
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: url.password },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await client.send(new CreateBucketCommand({ Bucket: 'bucket' }))
  client.destroy()
}

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}
