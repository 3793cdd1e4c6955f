import { thumbnailWidths } from '#platform/images/picture'

type ThumbnailWidth = (typeof thumbnailWidths)[number]

const named = /^([0-9a-f]{32})\.(png|jpg|webp|gif)$/

/** Where the picture of a name of ours and its thumbnails are stored. */
export function imageKeys(name: string): { whole: string; thumbnails: Record<ThumbnailWidth, string> } {
  const [, stem = name] = named.exec(name) ?? []
  const thumbnail = (width: ThumbnailWidth) => `images/${stem}-${width}.webp`
  return {
    whole: `images/${name}`,
    thumbnails: { 160: thumbnail(160), 480: thumbnail(480), 960: thumbnail(960) },
  }
}

export function imageKeysOf(name: string): string[] {
  const { whole, thumbnails } = imageKeys(name)
  return [whole, ...Object.values(thumbnails)]
}

export function isImageName(name: string): boolean {
  return named.test(name)
}

export function thumbnailWidthOf(text: string): ThumbnailWidth | undefined {
  return thumbnailWidths.find((width) => String(width) === text)
}
