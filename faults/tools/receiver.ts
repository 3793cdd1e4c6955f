import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '../../client/src/webhook.ts'

export interface Message {
  id: string
  body: string
}

/** From one place among the messages to another. */
export interface Spell {
  readonly from: number
  to: number
}

/** The seller's end: takes events at /events, and makes the items of dynamic products at /dynamic. */
export interface Receiver {
  url(path: 'events' | 'dynamic'): string
  readonly events: Message[]
  /** While something was broken. */
  readonly breaks: Spell[]
  /** By the id of the request, what it was given. */
  readonly made: Map<string, string>
  /** Of the store that sends. */
  secret: string
  /** The ids of what came without its signature, of either path. */
  readonly forged: string[]
  /** Answers nobody from now on, or everybody again. */
  isAway: boolean
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const events: Message[] = []
  const breaks: Spell[] = []
  const made = new Map<string, string>()
  const forged: string[] = []
  const receiver = { isAway: false, secret: '' }
  const server = createServer(async (request, response) => {
    if (receiver.isAway) {
      request.destroy()
      return
    }
    const id = String(request.headers['webhook-id'])
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    if (request.url === '/events') events.push({ id, body })
    const message = { secret: receiver.secret, headers: request.headers, body }
    // How old it is nobody asks: in one case the clock of the sender is wrong by days.
    await verifyWebhook({ ...message, toleranceSeconds: Number.POSITIVE_INFINITY }).catch(() => forged.push(id))
    if (request.url === '/events') {
      response.end()
      return
    }
    // As a seller who keeps to the id would: the same question has the same answer.
    const item = made.get(id) ?? `dynamic ${made.size}`
    made.set(id, item)
    response.setHeader('content-type', 'text/plain').end(item)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  const { port } = Object(server.address())
  return Object.assign(receiver, {
    url: (path: string) => `http://127.0.0.2:${port}/${path}`,
    events,
    breaks,
    made,
    forged,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
}
