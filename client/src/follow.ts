import { KeystallFailure } from './failure.ts'
import { sleep } from './retry.ts'
import type { CallOptions } from './transport.ts'

const pauseSeconds = 1
/** The server writes at least every 15 seconds: a line that is silent for longer is dead, though nobody said so. */
const silenceSecondsMax = 45

/**
 * A store's events as they happen, for ever: the stream is opened again whenever it ends, after the last event seen.
 * Without `after` it begins with what happens from now on.
 */
export async function* followEvents<Event extends { number: number }>(
  client: Following,
  { storeId, after }: { storeId: string; after?: number },
  { signal }: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<Event, void, undefined> {
  let last = after
  while (!signal?.aborted) {
    try {
      const answer = await client.followEvents(
        { storeId, ...(last === undefined ? {} : { after: last }) },
        signal === undefined ? {} : { signal },
      )
      for await (const { id, data } of messagesOf(answer)) {
        if (id !== undefined) last = Number(id)
        if (data !== undefined) yield JSON.parse(data)
      }
    } catch (error) {
      if (signal?.aborted) return
      // A refusal stays one; a line that broke, or too many of them, is opened again.
      const isRefused = error instanceof KeystallFailure && error.status >= 400 && error.status < 500
      if (isRefused && error.status !== 429) throw error
    }
    await sleep(pauseSeconds, signal).catch(() => undefined)
  }
}

interface Following {
  followEvents(input: { storeId: string; after?: number }, options?: CallOptions): Promise<Response>
}

interface Message {
  id?: string
  data?: string
}

async function* messagesOf({ body }: Response): AsyncGenerator<Message> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let waiting = ''
  try {
    for (;;) {
      const { done, value } = await withinSeconds(silenceSecondsMax, reader.read())
      if (done) return
      const blocks = (waiting + value).split('\n\n')
      waiting = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const silence = sleep(seconds, over.signal).then(() => {
    throw new Error('The line went silent')
  })
  silence.catch(() => undefined)
  try {
    return await Promise.race([work, silence])
  } finally {
    over.abort()
  }
}

function messageOf(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(id|data): ?(.*)$/.exec(line) ?? []
    if (field === 'id') message.id = value
    if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
  }
  return message
}
