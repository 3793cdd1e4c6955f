import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** People who look and buy, and write down how each of their requests ended. */
export interface Visitors {
  /** Looks at the store, orders, pays and reads what was delivered. */
  visit(): Promise<void>
  /** Requests that were answered well, at once or after a 503. */
  readonly good: number
  /** Answers 503 that trying again cured. */
  readonly cured: number
  /** Everything else, by what it was. */
  readonly failed: Map<string, number>
  takeWaitsMs(): number[]
  close(): void
}

export interface Place {
  port: number
  storeId: string
  productId: string
}

const retryMs = 50
const triesMax = 100

interface Asked {
  method: string
  path: string
  headers?: Record<string, string>
  body?: object
}

class Failed extends Error {}

export function openVisitors({ port, storeId, productId }: Place): Visitors {
  const kept = new Agent({ keepAlive: true, maxSockets: 128 })
  const failed = new Map<string, number>()
  let [good, cured, visits] = [0, 0, 0]
  let waitsMs: number[] = []

  function send(
    { method, path, headers = {}, body }: Asked,
    isKept: boolean,
  ): Promise<{ status: number; text: string }> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const length =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) }
    const options = { host: '127.0.0.1', port, method, path, agent: isKept ? kept : false }
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers: { host: `localhost:${port}`, ...length, ...headers } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        })
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        reject(new Error(`${error.code ?? error.message} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`))
      })
      sent.end(text)
    })
  }

  async function ask(asked: Asked, isKept: boolean): Promise<unknown> {
    const began = performance.now()
    for (let tries = 1; ; tries += 1) {
      const { status, text } = await send(asked, isKept).catch((error: Error) => ({ status: 0, text: error.message }))
      if (status === 200) {
        good += 1
        if (tries > 1) cured += 1
        waitsMs.push(performance.now() - began)
        return JSON.parse(text)
      }
      // After a 503 the same request may still be under way there: its key is refused for the moment.
      const isPassing = status === 503 || (status === 409 && tries > 1)
      if (isPassing && tries < triesMax) {
        await sleep(retryMs)
        continue
      }
      const what = status === 0 ? text : `${asked.method} ${asked.path.replaceAll(/[0-9a-f-]{36}/g, '…')} ${status}`
      failed.set(what, (failed.get(what) ?? 0) + 1)
      throw new Failed(what)
    }
  }

  async function buy(): Promise<void> {
    visits += 1
    // Every other visitor comes anew; the others are as a shop's own server, which keeps its connections.
    const isKept = visits % 2 === 0
    const emailAddress = `visitor${process.pid}x${visits}@example.com`
    const form = { items: [{ productId, quantity: 1 }], gateway: 'test', emailAddress }
    const once = () => ({ 'idempotency-key': randomUUID() })
    await ask({ method: 'GET', path: `/stores/${storeId}/view_id` }, isKept)
    await ask({ method: 'GET', path: `/products/${productId}/view` }, isKept)
    const checkout = { method: 'POST', path: `/stores/${storeId}/checkout`, headers: once(), body: form }
    const placed = Object(await ask(checkout, isKept))
    const { id, key } = placed.data[0].order
    const headers = { ...once(), 'x-order-key': key }
    await ask({ method: 'POST', path: `/orders/${id}/test-payment`, headers, body: { outcome: 'paid' } }, isKept)
    const seen = Object(await ask({ method: 'GET', path: `/orders/${id}`, headers: { 'x-order-key': key } }, isKept))
    if (seen.data.status !== 'Delivered') failed.set('an order that is not delivered', 1)
  }

  return {
    visit: () =>
      buy().catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error
      }),
    get good() {
      return good
    },
    get cured() {
      return cured
    },
    failed,
    takeWaitsMs() {
      const taken = waitsMs
      waitsMs = []
      return taken
    },
    close: () => kept.destroy(),
  }
}
