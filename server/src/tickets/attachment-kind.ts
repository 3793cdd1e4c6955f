import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { cleanImage } from '#platform/images/image'
import { invalid } from '#problem'

/** A file that is safe to keep: where its bytes are, and what they are. */
export interface Proven {
  path: string
  mediaType: string
}

const refusal = 'must be an image (PNG, JPG, WebP, GIF), a text in UTF-8 or a PDF'
const pdfMark = '%PDF-'

/** Told by the bytes, whatever the name says. Images are written anew into the folder. */
export async function provenOf(path: string, folder: string): Promise<Proven> {
  const image = await cleanImage(path, folder)
  if (!('failed' in image)) return { path: image.path, mediaType: image.contentType }
  if (image.failed !== 'not-an-image') throw invalid({ file: image.message })
  if (await isPdf(path)) return { path, mediaType: 'application/pdf' }
  if (await isText(path)) return { path, mediaType: 'text/plain' }
  throw invalid({ file: refusal })
}

async function isPdf(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(pdfMark.length), 0, pdfMark.length, 0)
    return buffer.subarray(0, bytesRead).toString('latin1') === pdfMark
  } finally {
    await file.close()
  }
}

/** UTF-8 without control characters but those of lines and tabs. */
async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) {
      if (hasControls(decoder.decode(chunk, { stream: true }))) return false
    }
    return !hasControls(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

function hasControls(text: string): boolean {
  return /[^\P{Cc}\t\n\f\r]/u.test(text)
}
