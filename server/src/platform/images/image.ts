import type { Metadata, Sharp } from 'sharp'

type SharpFactory = typeof import('sharp')['default']

/** A picture that was decoded and written anew: nothing of the uploaded bytes is in it. */
export interface CleanImage {
  readonly format: ImageFormat
  readonly contentType: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
  /** WebP, widest last; pictures that are narrower keep their own width. */
  readonly thumbnails: readonly { readonly width: (typeof thumbnailWidths)[number]; readonly bytes: Buffer }[]
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

/** PNG, JPG, WebP or GIF by their bytes, as a buffer or the path of a file. Animations stay, metadata goes. */
export async function readImage(input: Buffer | string): Promise<CleanImage | ImageFailure> {
  const format = await formatOf(input)
  if (!format) return notAnImage
  const leave = await enter()
  try {
    return await decode(await loadSharp(), input, format)
  } catch (error) {
    return failureOf(error)
  } finally {
    leave()
  }
}

async function formatOf(input: Buffer | string): Promise<ImageFormat | undefined> {
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const type = await (typeof input === 'string' ? fileTypeFromFile(input) : fileTypeFromBuffer(input))
  return type && formats[type.ext]
}

async function decode(
  sharp: SharpFactory,
  input: Buffer | string,
  format: ImageFormat,
): Promise<CleanImage | ImageFailure> {
  // The header tells the size; nothing is decoded yet.
  const header = await sharp(input, { limitInputPixels: false, animated: true }).metadata()
  if (pixelsOf(header) > pixelsMax) return tooManyPixels

  const isAnimated = (header.pages ?? 1) > 1
  const whole = sharp(input, { limitInputPixels: pixelsMax, animated: isAnimated, failOn: 'warning' })
  const upright = isAnimated ? whole : whole.autoOrient()
  const written = upright.timeout({ seconds: decodeSecondsMax })
  const { data, info } = await encoded(written, format).toBuffer({ resolveWithObject: true })
  const thumbnails = []
  for (const width of thumbnailWidths) {
    const first = sharp(data, { limitInputPixels: pixelsMax }).timeout({ seconds: decodeSecondsMax })
    const bytes = await first.resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toBuffer()
    thumbnails.push({ width, bytes })
  }
  return {
    format,
    contentType: contentTypes[format],
    width: info.width,
    height: info.pageHeight ?? info.height,
    bytes: data,
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
