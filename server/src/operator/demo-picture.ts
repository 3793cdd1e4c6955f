import { crc32, deflateSync } from 'node:zlib'

const width = 640
const height = 400
const shades = 256

/** A picture of two colours, as a PNG: a slope of light with a few discs. The number places the discs. */
export function drawPicture(colours: [from: string, to: string], number: number): Buffer {
  const palette = paletteOf(colours)
  const discs = discsOf(number)
  const pixels = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    const row = y * (width + 1) + 1
    for (let x = 0; x < width; x += 1) pixels[row + x] = Math.round(lightAt(x, y, discs) * (shades - 1))
  }
  return png(palette, pixels)
}

/** Three bytes a shade. */
function paletteOf([from, to]: [from: string, to: string]): Buffer {
  const [start, end] = [rgb(from), rgb(to)]
  const palette = Buffer.alloc(shades * 3)
  for (const index of palette.keys()) {
    const light = Math.floor(index / 3) / (shades - 1)
    const [a, b] = [start[index % 3] ?? 0, end[index % 3] ?? 0]
    palette[index] = Math.round(a + (b - a) * light)
  }
  return palette
}

interface Disc {
  x: number
  y: number
  radius: number
}

function discsOf(number: number): Disc[] {
  return [1, 2, 3].map((disc) => {
    const turn = number * 2.4 + disc * 2.1
    return {
      x: width * (0.5 + 0.3 * Math.cos(turn)),
      y: height * (0.5 + 0.28 * Math.sin(turn * 1.3)),
      radius: 60 + ((number * 37 + disc * 61) % 80),
    }
  })
}

/** From 0 to 1, soft at the edges of the discs. */
function lightAt(x: number, y: number, discs: Disc[]): number {
  let light = (x / width + y / height) * 0.35
  for (const disc of discs) {
    const distance = Math.hypot(x - disc.x, y - disc.y)
    light += 0.22 * Math.min(1, Math.max(0, disc.radius - distance + 0.5))
  }
  return Math.min(1, light)
}

function rgb(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}

function png(palette: Buffer, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, each the number of a colour.
  header.writeUInt8(8, 8)
  header.writeUInt8(3, 9)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
