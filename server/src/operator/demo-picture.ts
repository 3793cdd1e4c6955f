import { crc32, deflateSync } from 'node:zlib'

const width = 960
const height = 600

/** A picture of two colours, as a PNG: a slope of light with a few discs. The number places the discs. */
export function drawPicture([from, to]: [from: string, to: string], number: number): Buffer {
  const [start, end] = [rgb(from), rgb(to)]
  const discs = discsOf(number)
  const pixels = Buffer.alloc((width * 3 + 1) * height)
  let place = 0
  for (let y = 0; y < height; y += 1) {
    place += 1
    for (let x = 0; x < width; x += 1) {
      const light = lightAt(x, y, discs)
      for (let channel = 0; channel < 3; channel += 1) {
        const [a, b] = [start[channel] ?? 0, end[channel] ?? 0]
        pixels[place] = Math.round(a + (b - a) * light)
        place += 1
      }
    }
  }
  return png(pixels)
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
      radius: 90 + ((number * 37 + disc * 61) % 120),
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

function png(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, three channels.
  header.writeUInt8(8, 8)
  header.writeUInt8(2, 9)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
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
