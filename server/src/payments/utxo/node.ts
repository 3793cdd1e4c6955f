import { type Static, Type, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { askPeer } from '#platform/outbound/peer'

const timeoutSeconds = 20
/** A full block, written out as JSON. */
const answerBytesMax = 128 * 1024 * 1024

const Transaction = Type.Object({
  txid: Type.String(),
  vin: Type.Array(Type.Object({ txid: Type.Optional(Type.String()), vout: Type.Optional(Type.Integer()) })),
  vout: Type.Array(
    Type.Object({
      n: Type.Integer(),
      value: Type.Number(),
      scriptPubKey: Type.Object({ hex: Type.Optional(Type.String()) }),
    }),
  ),
})
const Header = Type.Object({
  time: Type.Integer(),
  previousblockhash: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const Block = Type.Object({ ...Header.properties, tx: Type.Array(Transaction) })

export type NodeTransaction = Static<typeof Transaction>
export type NodeHeader = Static<typeof Header>
export type NodeBlock = Static<typeof Block>

/** What Bitcoin Core's JSON-RPC answers, as far as it is needed here. Everything throws when the node is away. */
export interface Node {
  tip(): Promise<number>
  /** Undefined above the tip. */
  hashAt(height: number): Promise<string | undefined>
  /** Undefined when the node does not know the block. */
  header(hash: string): Promise<NodeHeader | undefined>
  block(hash: string): Promise<NodeBlock>
  /** The ids of what waits for a block. */
  waiting(): Promise<string[]>
  /** Of these, what waits for a block. */
  transactions(txids: readonly string[]): Promise<NodeTransaction[]>
}

export function openNode(url: string): Node {
  const ask = (method: string, params: unknown[]) => answers(url, [{ method, params }]).then(([answer]) => answer)
  return {
    tip: async () => read(Type.Integer(), await ask('getblockcount', [])),
    hashAt: async (height) => maybe(Type.String(), await ask('getblockhash', [height])),
    header: async (hash) => maybe(Header, await ask('getblockheader', [hash, true])),
    block: async (hash) => read(Block, await ask('getblock', [hash, 2])),
    waiting: async () => read(Type.Array(Type.String()), await ask('getrawmempool', [])),
    async transactions(txids) {
      const calls = txids.map((txid) => ({ method: 'getrawtransaction', params: [txid, true] }))
      return (await answers(url, calls)).flatMap((answer) => maybe(WaitingTransaction, answer) ?? [])
    },
  }
}

/** A node with an index answers for those in blocks too. */
const WaitingTransaction = Type.Object({
  ...Transaction.properties,
  blockhash: Type.Optional(Type.Union([Type.Null(), Type.Literal('')])),
})

export function nodeTip(url: string): Promise<number> {
  return openNode(url).tip()
}

const Answer = Type.Object({ id: Type.Integer(), result: Type.Unknown(), error: Type.Unknown() })
type Answer = Static<typeof Answer>

/** In the order of the calls; sent together. The node's own errors are among the answers. */
async function answers(url: string, calls: readonly { method: string; params: unknown[] }[]): Promise<Answer[]> {
  if (calls.length === 0) return []
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '1.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  const answer = await askPeer(url, { headers, body, timeoutSeconds, answerBytesMax })
  if (answer instanceof Error) throw new Error(`the node does not answer: ${answer.message}`)
  if (answer.status !== 200) throw new Error(`the node answered with status ${answer.status}`)
  const list = parsed(answer.body)
  if (!Value.Check(Type.Array(Answer), list)) return refuse('answered something else than JSON-RPC')
  const byId = new Map(list.map((each) => [each.id, each]))
  return calls.map((_, id) => byId.get(id) ?? refuse('left a call unanswered'))
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function read<S extends TSchema>(schema: S, answer: Answer | undefined): Static<S> {
  const result = maybe(schema, answer)
  return result ?? refuse(`said: ${String(Object(answer?.error)['message'] ?? 'nothing that can be read')}`)
}

/** Undefined when the node refused. */
function maybe<S extends TSchema>(schema: S, answer: Answer | undefined): Static<S> | undefined {
  const result: unknown = answer?.result
  return Value.Check(schema, result) ? result : undefined
}

function refuse(what: string): never {
  throw new Error(`the node ${what}`)
}
