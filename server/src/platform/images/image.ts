import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { projectFolder } from '#config'
import { type CleanImage, type ImageFailure, type ImageFormat, notAnImage } from './picture.ts'

type Result = CleanImage | ImageFailure

const idleSeconds = 20
const formats: Readonly<Record<string, ImageFormat>> = { png: 'png', apng: 'png', jpg: 'jpg', webp: 'webp', gif: 'gif' }

/**
 * Reads a file that is a PNG, JPG, WebP or GIF by its bytes, and writes it anew into the folder.
 *
 * It is decoded in a process of its own: the bytes are a stranger's, the memory that a decoder takes is not given back
 * for long, and one that crashes takes nothing with it.
 */
export async function cleanImage(input: string, folder: string): Promise<Result> {
  const format = await formatOf(input)
  if (!format) return notAnImage
  decoder ??= startDecoder()
  return decoder.decode({ input, folder, format })
}

async function formatOf(input: string): Promise<ImageFormat | undefined> {
  const { fileTypeFromFile } = await import('file-type')
  const type = await fileTypeFromFile(input)
  return type && formats[type.ext]
}

let decoder: ReturnType<typeof startDecoder> | undefined

function startDecoder() {
  const waiting = new Map<number, (result: Result) => void>()
  const child = forkDecoder()
  const ownDecoder = { decode }
  let asked = 0
  let idle: NodeJS.Timeout | undefined

  child.on('message', ({ id, result }: { id: number; result: Result }) => {
    waiting.get(id)?.(result)
    waiting.delete(id)
    if (waiting.size > 0) return
    child.channel?.unref()
    idle = setTimeout(retire, idleSeconds * 1000).unref()
  })
  child.once('error', retire)
  child.once('exit', () => {
    retire()
    // What ends a decoder is no picture.
    for (const answer of waiting.values()) answer(notAnImage)
    waiting.clear()
  })

  function retire(): void {
    if (decoder === ownDecoder) decoder = undefined
    if (child.connected) child.disconnect()
  }

  function decode(decoding: { input: string; folder: string; format: ImageFormat }): Promise<Result> {
    clearTimeout(idle)
    asked += 1
    const id = asked
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      child.channel?.ref()
      child.send({ id, ...decoding })
    })
  }

  return ownDecoder
}

/** It has no business with our settings, and keeps this process alive only while it is at work. */
function forkDecoder(): ChildProcess {
  const child = fork(join(projectFolder, 'server/src/platform/images/decoder.ts'), [], {
    env: { MALLOC_ARENA_MAX: '1', VIPS_CONCURRENCY: '1' },
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  return child
}
