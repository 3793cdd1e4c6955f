import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, onTestFinished, test } from 'vitest'
import { cleanImage } from './image.ts'

const aPicture = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#0c7f75' } }).composite([
    {
      input: Buffer.from(`<svg width="${width}" height="${height}"><circle cx="50" cy="50" r="40" fill="#fff"/></svg>`),
    },
  ])

async function read(input: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'keystall-image-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'upload.txt')
  await writeFile(path, input)
  return cleanImage(path, folder)
}

async function clean(input: Buffer) {
  const image = await read(input)
  if ('failed' in image) assert.fail(image.failed)
  const widths = await Promise.all(image.thumbnails.map(async ({ path }) => (await sharp(path).metadata()).width))
  return { ...image, bytes: await readFile(image.path), widths }
}

async function failure(input: Buffer): Promise<string> {
  const image = await read(input)
  assert.ok('failed' in image, 'it was accepted')
  return image.failed
}

const png = await aPicture().png().toBuffer()
const jpg = await aPicture()
  .jpeg()
  .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
  .toBuffer()
const webp = await aPicture().webp().toBuffer()
const sideways = await sharp(jpg).withMetadata({ orientation: 6 }).toBuffer()
const frames = await Promise.all(
  ['#f00', '#0f0', '#00f'].map((background) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
)
const animatedGif = await sharp(frames, { join: { animated: true } })
  .gif({ delay: [100, 100, 100] })
  .toBuffer()
const animatedWebp = await sharp(frames, { join: { animated: true } })
  .webp({ delay: [100, 100, 100] })
  .toBuffer()
const tiff = await aPicture().tiff().toBuffer()
const tall = await sharp({ create: { width: 90, height: 20_000, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()
const wide = await aPicture(1200, 100).png().toBuffer()

describe('a picture', () => {
  test.each([
    { format: 'png', input: png, type: 'image/png' },
    { format: 'jpg', input: jpg, type: 'image/jpeg' },
    { format: 'webp', input: webp, type: 'image/webp' },
  ])('$format is written anew, with thumbnails', async ({ format, input, type }) => {
    const image = await clean(input)
    assert.deepEqual([image.format, image.contentType, image.width, image.height], [format, type, 300, 200])
    assert.deepEqual(image.widths, [160, 300, 300])
  })

  test('has thumbnails in three widths', async () => {
    assert.deepEqual((await clean(wide)).widths, [160, 480, 960])
  })

  test('may be taller than WebP can be', async () => {
    const image = await clean(tall)
    assert.deepEqual([image.width, image.height], [90, 20_000])
  })

  test('keeps its animation', async () => {
    for (const input of [animatedGif, animatedWebp]) {
      const image = await clean(input)
      const { pages, pageHeight } = await sharp(image.bytes, { animated: true }).metadata()
      assert.deepEqual([pages, pageHeight, image.width, image.height], [3, 10, 20, 10])
    }
  })

  test('loses its metadata, but stands upright', async () => {
    assert.ok(jpg.includes('SECRET-PLACE'))
    const image = await clean(jpg)
    assert.ok(!image.bytes.includes('SECRET-PLACE'))
    assert.equal((await sharp(image.bytes).metadata()).exif, undefined)
    const turned = await clean(sideways)
    assert.deepEqual([turned.width, turned.height], [200, 300])
  })

  test('loses what was hidden behind it', async () => {
    for (const input of [png, jpg, webp, animatedGif]) {
      const image = await clean(Buffer.concat([input, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')]))
      assert.ok(!image.bytes.includes('<script>'))
    }
  })
})

describe('what is no picture is refused', () => {
  test.each([
    ['text', Buffer.from('just some text')],
    ['nothing', Buffer.alloc(0)],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['svg with a prologue', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['html', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['pdf', Buffer.from('%PDF-1.7\n%%EOF')],
    ['tiff', tiff],
    ['a head without a body', png.subarray(0, 8)],
    ['a gif in name', Buffer.from('GIF89a/*<svg/onload=alert(1)>*/=1;')],
  ])('%s', async (_name, input) => {
    assert.match(await failure(input), /not-an-image|truncated/)
  })

  test('an incomplete one', async () => {
    for (const input of [jpg, png, webp]) {
      assert.match(await failure(input.subarray(0, Math.floor(input.length * 0.6))), /truncated|not-an-image/)
    }
    assert.equal(await failure(jpg.subarray(0, Math.floor(jpg.length * 0.8))), 'truncated')
  })

  test('one too large when decoded, in no time and memory', async () => {
    const before = process.memoryUsage.rss()
    const usedBefore = process.cpuUsage()
    assert.equal(await failure(pngOf(50_000, 50_000)), 'too-many-pixels')
    assert.equal(await failure(pngOf(14_000, 14_000)), 'too-many-pixels')
    assert.equal(await failure(gifOf({ width: 5000, height: 5000, frames: 2 })), 'too-many-pixels')
    assert.equal(await failure(gifOf({ width: 1000, height: 1000, frames: 50 })), 'too-many-pixels')
    const { user, system } = process.cpuUsage(usedBefore)
    assert.ok(user + system < 1_000_000)
    assert.ok(process.memoryUsage.rss() - before < 100_000_000)
  })
})

/** A header that promises so much, with one row of pixels behind it. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(1 + width * 3))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** Frames that promise so many pixels and hold one. */
function gifOf({ width, height, frames: count }: { width: number; height: number; frames: number }): Buffer {
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const screen = Buffer.from([...Buffer.from('GIF89a'), ...size, 0x80, 0, 0])
  const colours = Buffer.from([0, 0, 0, 255, 255, 255])
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
  const picture = [0x2c, 0, 0, 0, 0, ...size, 0, 2, 2, 0x44, 1, 0]
  const all = Array.from({ length: count }, () => [...control, ...picture]).flat()
  return Buffer.concat([screen, colours, Buffer.from(all), Buffer.from([0x3b])])
}
