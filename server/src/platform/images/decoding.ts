import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  type CleanImage,
  type Decoding,
  type ImageFailure,
  type ImageFormat,
  notAnImage,
  thumbnailWidths,
} from './picture.ts'

/** Over all frames: 160 MB when decoded. */
const pixelsMax = 40_000_000
const decodesMax = 2
const decodeSecondsMax = 20

const contentTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' } as const

sharp.cache(false)
sharp.concurrency(1)
// Whatever the bytes pretend, no other decoder is ever reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})

/** Reads a picture of this format and writes it anew into the folder. Animations stay, metadata goes. */
export async function decodeImage(decoding: Decoding): Promise<CleanImage | ImageFailure> {
  const leave = await enter()
  try {
    return await decode(decoding)
  } catch (error) {
    return failureOf(error)
  } finally {
    leave()
  }
}

async function decode({ input, folder, format }: Decoding): Promise<CleanImage | ImageFailure> {
  // The header tells the size; nothing is decoded yet.
  const header = await sharp(input, { limitInputPixels: false, animated: true }).metadata()
  if (pixelsOf(header) > pixelsMax) return tooManyPixels

  const isAnimated = (header.pages ?? 1) > 1
  const whole = sharp(input, { limitInputPixels: pixelsMax, animated: isAnimated, failOn: 'warning' })
  const upright = isAnimated ? whole : whole.autoOrient()
  const path = join(folder, `whole.${format}`)
  const info = await encoded(upright.timeout({ seconds: decodeSecondsMax }), format).toFile(path)
  // Decoded once for all thumbnails. WebP is never taller than this.
  const small = join(folder, 'small.png')
  const size = { width: Math.max(...thumbnailWidths), height: 16_383, fit: 'inside', withoutEnlargement: true } as const
  await sharp(path, { limitInputPixels: pixelsMax })
    .timeout({ seconds: decodeSecondsMax })
    .resize(size)
    .png({ compressionLevel: 1 })
    .toFile(small)
  const thumbnails = []
  for (const width of thumbnailWidths) {
    const thumbnail = { width, path: join(folder, `${width}.webp`) }
    await sharp(small).resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toFile(thumbnail.path)
    thumbnails.push(thumbnail)
  }
  return {
    format,
    contentType: contentTypes[format],
    width: info.width,
    height: info.pageHeight ?? info.height,
    path,
    thumbnails,
  }
}

function pixelsOf({ width, height, pageHeight, pages }: Metadata): number {
  return width * (pageHeight ?? height) * (pages ?? 1)
}

function encoded(image: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 8 })
    case 'jpg':
      return image.jpeg({ quality: 88 })
    case 'webp':
      return image.webp({ quality: 88 })
    case 'gif':
      return image.gif()
    default:
      return format satisfies never
  }
}

const truncated: ImageFailure = { failed: 'truncated', message: 'is incomplete: a part of the picture is missing' }
const tooManyPixels: ImageFailure = {
  failed: 'too-many-pixels',
  message: `must have at most ${pixelsMax / 1_000_000} million pixels over all frames`,
}

function failureOf(error: unknown): ImageFailure {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return tooManyPixels
  return /premature|truncat|unexpected end|end of (file|stream|image)|read error|not enough/i.test(message)
    ? truncated
    : notAnImage
}

let decodes = 0
const waiting: (() => void)[] = []

async function enter(): Promise<() => void> {
  if (decodes < decodesMax) decodes++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  return () => {
    const next = waiting.shift()
    if (next) next()
    else decodes--
  }
}
