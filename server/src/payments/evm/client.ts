import type { PublicClient } from 'viem'
import type { Config } from '#config'
import { askPeer } from '#platform/outbound/peer'

export type EvmClient = PublicClient

const timeoutSeconds = 10
/** A block with all its transactions takes a few megabytes. */
const answerBytesMax = 64 * 1024 * 1024

/** The library is large, and a shop without these coins never loads it. */
const loading = () => import('viem')

/** Undefined while the operator has named no node. */
export async function openClient({ ethereum }: Pick<Config, 'ethereum'>): Promise<EvmClient | undefined> {
  const { url } = ethereum
  if (!url) return undefined
  const { createPublicClient, custom } = await loading()
  let asked = 0
  const request = ({ method, params }: { method: string; params?: unknown }) => {
    asked += 1
    return ask(url.href, { jsonrpc: '2.0', id: asked, method, params: params ?? [] })
  }
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
}

/** What a node says about a wish that it cannot fulfil; its words may hold nothing of ours but the wish. */
class NodeRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Whether it was the node that refused, however that was wrapped. */
export function isRefusal(error: unknown): boolean {
  return error instanceof NodeRefusal || (error instanceof Error && isRefusal(error.cause))
}

async function ask(url: string, body: Record<string, unknown>): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await askPeer(url, { headers, body: JSON.stringify(body), timeoutSeconds, answerBytesMax })
  // Neither says the address, which may carry a password.
  if (answer instanceof Error) throw new Error(`The Ethereum node does not answer: ${answer.message}`)
  const reply: Record<string, unknown> = Object(parsed(answer.body))
  const { error } = reply
  if (error !== undefined && error !== null) {
    const { code, message } = Object(error)
    throw new NodeRefusal(Number(code), `The Ethereum node refuses ${String(body['method'])}: ${String(message)}`)
  }
  if (answer.status !== 200 || !('result' in reply)) throw new Error(`The Ethereum node answers ${answer.status}`)
  return reply['result']
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Hashes and addresses travel as such texts. */
export function asHex(text: string): `0x${string}` {
  if (!text.startsWith('0x')) throw new Error('this is kept as hexadecimal')
  return `0x${text.slice(2)}`
}
