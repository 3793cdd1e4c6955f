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

/** What the decoder is asked to do. */
export interface Decoding {
  readonly input: string
  readonly folder: string
  readonly format: ImageFormat
}

export const notAnImage: ImageFailure = { failed: 'not-an-image', message: 'must be a PNG, JPG, WebP or GIF picture' }
