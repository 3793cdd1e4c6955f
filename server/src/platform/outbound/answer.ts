import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { SendFailure, TooLarge } from './failure.ts'

/** The whole answer, decoded, or a failure at the first byte too many. */
export async function readAnswer(
  stream: Readable,
  encoding: string | undefined,
  bytesMax: number,
  deadline: AbortSignal,
): Promise<Buffer> {
  const decoded = decode(stream, encoding)
  const stop = () => decoded.destroy(deadline.reason)
  deadline.addEventListener('abort', stop, { once: true })
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of decoded) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new TooLarge(`The answer is larger than ${bytesMax} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    deadline.removeEventListener('abort', stop)
    stream.on('error', () => {}).destroy()
  }
}

function decode(stream: Readable, encoding: string | undefined): Readable {
  const decoder = decoderOf(encoding?.trim().toLowerCase())
  if (!decoder) return stream
  stream.on('error', (error) => decoder.destroy(error))
  return stream.pipe(decoder)
}

function decoderOf(encoding: string | undefined) {
  switch (encoding) {
    case undefined:
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new SendFailure('network', 'The answer has an unknown content encoding')
  }
}
