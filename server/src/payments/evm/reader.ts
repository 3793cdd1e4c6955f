import type { Book, ChainReader, Found, Look, Outpoint } from '../chain/chain.ts'
import type { CryptoSightingRow } from '../tables.ts'
import { asHex, type EvmClient } from './client.ts'

/** How many blocks are read at a time; the rest waits for the next reading. */
const blocksMax = 50
/** How far back a reorganisation is followed block by block. */
export const finalDepth = 64

/** A block with every transfer of the coin in it, whoever it is for. */
export interface Block {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  readonly time: Date
  readonly transfers: readonly Transfer[]
}

export interface Transfer extends Outpoint {
  readonly from: string
  readonly to: string
  readonly units: bigint
}

/** How a coin is read off its chain. */
export interface CoinReading {
  block(client: EvmClient, height: number): Promise<Block>
  /** Whether it is true what the block says: a transaction that failed stands there too. */
  hasMoved(client: EvmClient, transfer: Transfer): Promise<boolean>
}

export type Header = Omit<Block, 'transfers'>

export function headerOf({
  number,
  hash,
  parentHash,
  timestamp,
}: {
  number: bigint
  hash: string
  parentHash: string
  timestamp: bigint
}): Header {
  return { height: Number(number), hash, parentHash, time: new Date(Number(timestamp) * 1000) }
}

interface Mark {
  readonly height: number
  readonly hash: string
}

/**
 * Reads block after block, and keeps the hashes of the last ones: where one of them is no longer the chain's, what was
 * read from there on is read anew.
 */
export function evmReader(open: () => Promise<EvmClient>, coin: CoinReading): ChainReader {
  return async (book) => {
    const client = await open()
    const head = Number(await client.getBlockNumber({ cacheTime: 0 }))
    const known = marksOf(book.cursor)
    const reachable = known.filter(({ height }) => height <= head)
    const kept = await standing(client, reachable)
    // A node that is behind contradicts nothing.
    const isNodeBehind = kept.length === reachable.length && kept.length < known.length
    if (isNodeBehind) return { ...nothing, tip: head, cursor: book.cursor }

    const first = kept.at(-1)?.height ?? (known[0] ? known[0].height - 1 : await heightBefore(client, book.since, head))
    const blocks = await readBlocks(client, coin, { first: first + 1, head, parent: kept.at(-1) })
    const { found, spent } = await foundIn(client, coin, book, blocks)
    const last = blocks.at(-1)?.height ?? first
    const unsure = book.live.filter(({ height }) => height === null || height > first)
    const { gone, waiting } = await sought(client, unsure.filter(isMissingIn(found)), last)
    const marks = [...kept, ...blocks.map(({ height, hash }) => ({ height, hash }))].slice(-finalDepth)
    const isBehind = blocks.length === blocksMax && last < head
    return { tip: head, cursor: { marks }, isBehind, found: [...found, ...waiting], gone, spent, asked: [] }
  }
}

const nothing: Omit<Look, 'tip' | 'cursor'> = { isBehind: false, found: [], gone: [], spent: [], asked: [] }

function marksOf(cursor: unknown): readonly Mark[] {
  const { marks }: { marks?: readonly Mark[] } = Object(cursor)
  return marks ?? []
}

/** Those that the chain still has. */
async function standing(client: EvmClient, marks: readonly Mark[]): Promise<readonly Mark[]> {
  for (let count = marks.length; count > 0; count -= 1) {
    const last = marks[count - 1]
    if (last && (await headerAt(client, last.height))?.hash === last.hash) return marks.slice(0, count)
  }
  return []
}

/** The last block before the moment, a little earlier: clocks differ. */
async function heightBefore(client: EvmClient, since: Date | null, head: number): Promise<number> {
  const moment = (since?.getTime() ?? Date.now()) / 1000 - 120
  let [low, high] = [-1, head]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const header = await headerAt(client, middle)
    if (header && Number(header.timestamp) < moment) low = middle
    else high = middle - 1
  }
  return low
}

async function headerAt(client: EvmClient, height: number) {
  return client.getBlock({ blockNumber: BigInt(height) }).catch(unlessMissing)
}

/** Each must follow the one before; where the chain changes meanwhile, the reading ends. */
async function readBlocks(
  client: EvmClient,
  coin: CoinReading,
  { first, head, parent }: { first: number; head: number; parent: Mark | undefined },
): Promise<Block[]> {
  const blocks: Block[] = []
  for (let height = first; height <= Math.min(head, first + blocksMax - 1); height += 1) {
    const block = await coin.block(client, height).catch(unlessMissing)
    const before = blocks.at(-1) ?? parent
    if (!block || (before && before.hash !== block.parentHash)) break
    blocks.push(block)
  }
  return blocks
}

/** Whoever likes can have a token log that nothing was moved from an address of another: that is passed over. */
async function foundIn(client: EvmClient, coin: CoinReading, book: Book, blocks: readonly Block[]) {
  const all = blocks.flatMap(({ transfers, ...block }) =>
    transfers.filter(({ units }) => units > 0n).map((transfer) => ({ ...transfer, block })),
  )
  const targets = new Set(all.flatMap(({ from, to }) => [from, to]))
  const own = new Set((await book.among([...targets])).map(({ target }) => target))
  const found: Found[] = []
  const emptied = new Set<string>()
  for (const { block, from, to, ...transfer } of all) {
    const isOurs = own.has(to)
    const isMoved = own.has(from)
    if (!(isOurs || isMoved) || !(await coin.hasMoved(client, { from, to, ...transfer }))) continue
    if (isMoved) emptied.add(from)
    if (isOurs) found.push({ ...transfer, target: to, height: block.height, time: block.time })
  }
  return { found, spent: await book.heldAt([...emptied]) }
}

const isMissingIn = (found: readonly Found[]) => (row: CryptoSightingRow) =>
  !found.some(({ txid, position }) => txid === row.txid && position === row.position)

/** Payments that were in a block which is none any more: they wait again, or nobody knows them. */
async function sought(client: EvmClient, rows: readonly CryptoSightingRow[], readUntil: number) {
  const gone: Outpoint[] = []
  const waiting: Found[] = []
  for (const { txid, position, target, units } of rows) {
    const known = await client.getTransaction({ hash: asHex(txid) }).catch(unlessMissing)
    const block = known?.blockNumber ?? null
    // In a block that is not read yet, it is found there.
    if (known && (block === null || Number(block) > readUntil)) {
      waiting.push({ txid, position, target, units: BigInt(units), height: null, time: null })
    } else gone.push({ txid, position })
  }
  return { gone, waiting }
}

/** Of a chain that has no such block or transaction; whatever else goes wrong ends the reading. */
function unlessMissing(error: unknown): undefined {
  const name = error instanceof Error ? error.name : ''
  if (name === 'BlockNotFoundError' || name === 'TransactionNotFoundError') return undefined
  throw error
}
