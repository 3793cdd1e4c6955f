import { appendFileSync } from 'node:fs'
import type { App } from '#app'
import { createListener } from '#platform/http/server'

/** Set by `npm run prism`: calls of the API then travel through a proxy that compares them with the API description. */
export const isThroughPrism = process.env['PRISM_URL'] !== undefined

const ports = new WeakMap<App, Promise<number>>()

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  payload?: string
}

/** As `inject`, over the wire; what Prism found is written to the report. */
export async function sendThroughPrism(app: App, host: string, { method, url, headers, payload }: Sent) {
  const port = ports.get(app) ?? listen(app)
  ports.set(app, port)
  const answer = await fetch(`${process.env['PRISM_URL']}${url}`, {
    method,
    headers: { ...headers, 'x-upstream-port': String(await port), 'x-upstream-host': host },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const body = await answer.text()
  const violations: { location: string[] }[] = JSON.parse(answer.headers.get('sl-violations') ?? '[]')
  // Tests send wrong requests too, and the product refuses them itself: only what it takes must be described.
  const odd = violations.filter(({ location }) => location[0] === 'response' || answer.status < 400)
  // HTTP takes `bearer` in any case; Prism does not.
  const isOddlySpelled =
    /^bearer /i.test(headers['authorization'] ?? '') && !headers['authorization']?.startsWith('Bearer ')
  // A body that is refused before it is read whole may end the line on the way here, and some Prism cannot read itself.
  const isSeen = answer.headers.has('x-request-id')
  const path = url.split('?', 1)[0]
  const line = { method, path, status: answer.status, isSeen, odd: isOddlySpelled || !isSeen ? [] : odd }
  appendFileSync(process.env['PRISM_REPORT'] ?? '/dev/null', `${JSON.stringify(line)}\n`)
  return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body }
}

function listen(app: App): Promise<number> {
  const listener = createListener(app.handle)
  listener.unref()
  return new Promise((resolve) => {
    listener.listen(0, '127.0.0.1', () => resolve(Object(listener.address())['port']))
  })
}
