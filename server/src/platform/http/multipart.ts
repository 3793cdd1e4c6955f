/** The parser reads a form part by part as it arrives. Libraries hold or lose what we refuse. */
export interface Form {
  /** The name of the first part, and that of its file. Undefined when the form has no part. */
  readHead(): Promise<PartHead | undefined>
  /** What is in the part, piece by piece. */
  content(): AsyncGenerator<Buffer, void>
  /** After the content: whether another part follows. */
  hasMore(): Promise<boolean>
  /** After the content: the head of the next part. Undefined when there is none. */
  readNextHead(): Promise<PartHead | undefined>
}

export interface PartHead {
  name: string
  fileName: string
}

/** The bytes are no form. */
export class MalformedForm extends Error {}

const headBytesMax = 16 * 1024
const preambleBytesMax = 1024
const paddingBytesMax = 128
const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new MalformedForm()
  return boundary
}

export function openForm(boundary: string, nextChunk: () => Promise<Buffer | undefined>): Form {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter may stand at the very beginning, without the line end before it.
  let held: Buffer = lineEnd

  async function more(): Promise<boolean> {
    const chunk = await nextChunk()
    if (chunk === undefined) return false
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    return true
  }

  /** Takes everything up to the mark, and the mark. */
  async function takeUntil(mark: Buffer, bytesMax: number): Promise<Buffer> {
    for (;;) {
      const at = held.indexOf(mark)
      if (at > bytesMax || (at === -1 && held.length > bytesMax + mark.length)) throw new MalformedForm()
      if (at !== -1) {
        const taken = held.subarray(0, at)
        held = held.subarray(at + mark.length)
        return taken
      }
      if (!(await more())) throw new MalformedForm()
    }
  }

  /** After a delimiter: two dashes end the form, a line end begins a part. */
  async function isPartNext(): Promise<boolean> {
    while (held.length < 2) if (!(await more())) throw new MalformedForm()
    if (held[0] === 0x2d && held[1] === 0x2d) return false
    const padding = await takeUntil(lineEnd, paddingBytesMax)
    if (/[^ \t]/.test(padding.toString('latin1'))) throw new MalformedForm()
    return true
  }

  async function readNextHead(): Promise<PartHead | undefined> {
    if (!(await isPartNext())) return undefined
    const head = await takeUntil(headEnd, headBytesMax)
    return dispositionOf(head.toString('utf8'))
  }

  return {
    async readHead() {
      await takeUntil(delimiter, preambleBytesMax)
      return readNextHead()
    },

    readNextHead,

    async *content() {
      for (;;) {
        const at = held.indexOf(delimiter)
        // The end may be the beginning of the delimiter.
        const end = at === -1 ? Math.max(0, held.length - delimiter.length + 1) : at
        if (end > 0) yield held.subarray(0, end)
        held = held.subarray(at === -1 ? end : at + delimiter.length)
        if (at !== -1) return
        const chunk = await nextChunk()
        if (chunk === undefined) throw new MalformedForm()
        // Only the seam is copied: copies of whole chunks would be as much garbage as the upload is long.
        const seam = Buffer.concat([held, chunk.subarray(0, delimiter.length - 1)])
        if (chunk.length < delimiter.length || seam.includes(delimiter)) {
          held = Buffer.concat([held, chunk])
        } else {
          if (held.length > 0) yield held
          held = chunk
        }
      }
    },

    hasMore: isPartNext,
  }
}

function dispositionOf(head: string): PartHead {
  const line = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(head)?.[1]
  if (line === undefined) throw new MalformedForm()
  const values = new Map<string, string>()
  for (const [, key = '', quoted, plain = ''] of line.matchAll(/;\s*([\w*-]+)=(?:"((?:\\["\\]|[^"])*)"|([^;\s]*))/g)) {
    values.set(key.toLowerCase(), quoted === undefined ? plain : unescaped(quoted))
  }
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(values.get('filename*') ?? '')?.[1]
  return { name: values.get('name') ?? '', fileName: decoded(encoded) ?? values.get('filename') ?? '' }
}

/** Browsers write a quote as %22 and a line end as %0D%0A; other programs put a backslash before a quote. */
function unescaped(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0d/gi, '\r')
    .replace(/%0a/gi, '\n')
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
