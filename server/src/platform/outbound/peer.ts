import { readAnswer } from './answer.ts'
import { failureOf, SendFailure } from './failure.ts'
import { headersOfEveryCall } from './sender.ts'

export interface PeerOptions {
  readonly headers?: Record<string, string>
  /** Posted when given; otherwise it is a GET. */
  readonly body?: string
  readonly timeoutSeconds: number
  readonly answerBytesMax: number
}

/**
 * Calls a server that the operator named, such as a node of a chain. It may be in our own network, so strangers must
 * never choose the address. A name and password in the address are sent as such. Never throws.
 */
export async function askPeer(
  address: string,
  { headers = {}, body, timeoutSeconds, answerBytesMax }: PeerOptions,
): Promise<{ status: number; body: Buffer } | SendFailure> {
  const deadline = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    const { request } = await import('undici')
    const url = new URL(address)
    const { username, password } = url
    url.username = ''
    url.password = ''
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
    const reply = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headersOfEveryCall, ...(username === '' ? {} : { authorization: `Basic ${basic}` }), ...headers },
      ...(body === undefined ? {} : { body }),
      signal: deadline,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const encoding = reply.headers['content-encoding']
    return {
      status: reply.statusCode,
      body: await readAnswer(reply.body, Array.isArray(encoding) ? encoding[0] : encoding, answerBytesMax, deadline),
    }
  } catch (error) {
    return failureOf(error, deadline)
  }
}
