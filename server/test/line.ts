import { Agent, request as httpRequest } from 'node:http'
import type { Endpoint } from '@keystall/contract/endpoint'

/** A server that listens somewhere, and the names of its hosts. */
export interface Address {
  port: number
  api: string
  dash: string
}

export interface Asking {
  method: string
  url: string
  host: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer | undefined
}

export interface Heard {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
}

export interface Credentials {
  apiKey?: string
  cookie?: string
  orderKey?: string
}

/** A client over real sockets, of which it keeps a few. */
export class Line {
  readonly address: Address
  readonly #agent: Agent

  /** `from` which of this machine's addresses it comes. */
  constructor(address: Address, { from = '127.0.0.1' }: { from?: string } = {}) {
    this.address = address
    this.#agent = new Agent({ keepAlive: true, maxSockets: 8, localAddress: from })
  }

  ask({ method, url, host, headers = {}, body }: Asking): Promise<Heard> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port: this.address.port,
          host: '127.0.0.1',
          agent: this.#agent,
          method,
          path: url,
          headers: { ...headers, host, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
          timeout: 20_000,
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          const heard = () => ({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - startedAt,
          })
          response.once('error', reject)
          response.once('end', () => resolve(heard()))
          // It would go on for ever.
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            resolve(heard())
            response
              .off('error', reject)
              .on('error', () => {})
              .destroy()
          }
        },
      )
      request.once('timeout', () => request.destroy(new Error(`no answer to ${method} ${url.slice(0, 100)}`)))
      request.once('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The request by which a caller would use the endpoint. */
export function askingFor(
  { api, dash }: Address,
  endpoint: Endpoint,
  {
    path = {},
    query = '',
    body,
    headers = {},
  }: {
    path?: Record<string, string | number>
    query?: string
    body?: string | Buffer | undefined
    headers?: Record<string, string>
  },
  { apiKey, cookie, orderKey }: Credentials,
): Asking {
  const isDash = cookie !== undefined || ['guest', 'session', 'staff'].includes(endpoint.access)
  const host = isDash ? dash : api
  const url = endpoint.path.replace(/\{(\w+)\}/g, (_, token) => encodeURIComponent(String(path[token])))
  return {
    method: endpoint.method,
    url: `${isDash ? '/api' : ''}${url}${query === '' ? '' : `?${query}`}`,
    host,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(orderKey === undefined ? {} : { 'x-order-key': orderKey }),
      ...(isDash ? { origin: `http://${dash}` } : {}),
      ...headers,
    },
    body,
  }
}
