import { join } from 'node:path'
import type { Metadata, Sharp } from 'sharp'

type SharpFactory = typeof import('sharp')['default']

/** A picture that was decoded and written anew: nothing of the uploaded bytes is in it. */
export interface CleanImage {
  readonly format: ImageFormat
  readonly contentType: string
  readonly width: number
  readonly height: number
  /** The file that it was written to. */
  readonly path: string
  /** WebP, widest last; pictures that are narrower keep their own width. */
  readonly thumbnails: readonly { readonly width: (typeof thumbnailWidths)[number]; readonly path: string }[]
}

export type ImageFormat = 'png' | 'jpg' | 'webp' | 'gif'

export interface ImageFailure {
  readonly failed: 'not-an-image' | 'truncated' | 'too-many-pixels'
  /** Finishes the sentence that the field's name begins. */
  readonly message: string
}

export const thumbnailWidths = [160, 480, 960] as const

/** Over all frames: 160 MB when decoded. */
const pixelsMax = 40_000_000
const decodesMax = 2
const decodeSecondsMax = 20

const contentTypes = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' } as const
const formats: Readonly<Record<string, ImageFormat>> = { png: 'png', apng: 'png', jpg: 'jpg', webp: 'webp', gif: 'gif' }

/**
 * Reads a file that is a PNG, JPG, WebP or GIF by its bytes, and writes it anew into the folder. Animations stay,
 * metadata goes. From file to file: a large picture in memory would be there twice, and several at once.
 */
export async function cleanImage(input: string, folder: string): Promise<CleanImage | ImageFailure> {
  const format = await formatOf(input)
  if (!format) return notAnImage
  const leave = await enter()
  try {
    return await decode(await loadSharp(), { input, folder, format })
  } catch (error) {
    return failureOf(error)
  } finally {
    leave()
  }
}

async function formatOf(input: string): Promise<ImageFormat | undefined> {
  const { fileTypeFromFile } = await import('file-type')
  const type = await fileTypeFromFile(input)
  return type && formats[type.ext]
}

async function decode(
  sharp: SharpFactory,
  { input, folder, format }: { input: string; folder: string; format: ImageFormat },
): Promise<CleanImage | ImageFailure> {
  // The header tells the size; nothing is decoded yet.
  const header = await sharp(input, { limitInputPixels: false, animated: true }).metadata()
  if (pixelsOf(header) > pixelsMax) return tooManyPixels

  const isAnimated = (header.pages ?? 1) > 1
  const whole = sharp(input, { limitInputPixels: pixelsMax, animated: isAnimated, failOn: 'warning' })
  const upright = isAnimated ? whole : whole.autoOrient()
  const path = join(folder, `whole.${format}`)
  const info = await encoded(upright.timeout({ seconds: decodeSecondsMax }), format).toFile(path)
  const thumbnails = []
  for (const width of thumbnailWidths) {
    const thumbnail = { width, path: join(folder, `${width}.webp`) }
    const first = sharp(path, { limitInputPixels: pixelsMax }).timeout({ seconds: decodeSecondsMax })
    await first.resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toFile(thumbnail.path)
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

const notAnImage: ImageFailure = { failed: 'not-an-image', message: 'must be a PNG, JPG, WebP or GIF picture' }
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

let loading: Promise<SharpFactory> | undefined

/** The library takes its time and memory, so it is loaded with the first picture. */
function loadSharp(): Promise<SharpFactory> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // Whatever the bytes pretend, no other decoder is ever reached.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
    })
    return sharp
  })
  return loading
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
