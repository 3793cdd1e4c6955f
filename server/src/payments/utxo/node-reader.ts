import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { CryptoSightingRow } from '../tables.ts'
import type { Book, ChainReader, Found, Look, Outpoint } from '../chain/chain.ts'
import { BlockSeen, refuseBehind } from './behind.ts'
import { type Node, type NodeTransaction, openNode } from './node.ts'

/** The last block that was read. */
const Cursor = Type.Object({ ...BlockSeen.properties, hash: Type.String() })
type Cursor = Static<typeof Cursor>

/** In one reading; the rest is read with the next. */
const blocksMax = 20
const waitingMax = 5000
const batchMax = 250
/** How far back to begin when the node has never heard of the block that was read last. */
const unknownDepth = 100
const blockTimeSlackMs = 2 * 3600_000

/** What waits for a block and pays no order, by node: it need not be fetched again. Kept to save work, nothing else. */
const strangers = new Map<string, Set<string>>()

/**
 * Reads a chain through a node: block by block from where the last reading ended, and whatever waits for a block.
 * What waits is asked for first, so that a payment which gets into a block meanwhile is seen in either.
 */
export function nodeReader(url: string): ChainReader {
  const node = openNode(url)
  return async (book) => {
    const tip = await node.tip()
    refuseBehind(book.cursor, tip)
    const waiting = new Set(await node.waiting())
    const start = await startOf(node, book, tip)
    const blocks = await readBlocks(node, book, start, tip)
    const isAtTip = blocks.cursor.height >= tip
    const unconfirmed = isAtTip ? await readWaiting(url, node, book, waiting) : { found: [], isMore: true }
    const seen = new Set([...blocks.found, ...unconfirmed.found].map(nameOf))
    const missing = book.live.filter(
      (each) => !seen.has(nameOf(each)) && (each.height === null || each.height > start.height),
    )
    const { again, gone } = await lookFor(node, missing, isAtTip)
    return {
      tip: blocks.cursor.height,
      cursor: blocks.cursor,
      isBehind: unconfirmed.isMore,
      found: [...unconfirmed.found, ...again, ...blocks.found],
      gone,
      spent: blocks.spent,
      asked: [],
    } satisfies Look
  }
}

const nameOf = ({ txid, position }: Outpoint) => `${txid}:${position}`

/** Where the chain that was read and the chain as it is now are still the same. */
async function startOf(node: Node, { cursor, since }: Book, tip: number): Promise<Cursor> {
  if (!Value.Check(Cursor, cursor)) return blockBefore(node, since ?? new Date(), tip)
  let { height, hash } = cursor
  while ((await node.hashAt(height)) !== hash) {
    const parent = (await node.header(hash))?.previousblockhash
    if (typeof parent !== 'string') return blockAt(node, Math.max(0, Math.min(height, tip) - unknownDepth))
    height -= 1
    hash = parent
  }
  return { height, hash }
}

/** The newest block that is surely older than the first address. */
async function blockBefore(node: Node, since: Date, tip: number): Promise<Cursor> {
  for (let height = tip; height > 0; height -= 1) {
    const block = await blockAt(node, height)
    const header = await node.header(block.hash)
    if (header && header.time * 1000 < since.getTime() - blockTimeSlackMs) return block
  }
  return blockAt(node, 0)
}

async function blockAt(node: Node, height: number): Promise<Cursor> {
  const hash = await node.hashAt(height)
  if (hash === undefined) throw new Error('the chain changed while it was read')
  return { height, hash }
}

async function readBlocks(node: Node, book: Book, start: Cursor, tip: number) {
  const found: Found[] = []
  const spent: Outpoint[] = []
  let cursor = start
  while (cursor.height < Math.min(tip, start.height + blocksMax)) {
    const next = await blockAt(node, cursor.height + 1)
    const { tx, time, previousblockhash } = await node.block(next.hash)
    if (previousblockhash !== cursor.hash) throw new Error('the chain changed while it was read')
    found.push(...(await paymentsIn(book, tx, { height: next.height, time: new Date(time * 1000) })))
    spent.push(...(await spentBy(book, tx, found)))
    cursor = next
  }
  return { found, spent, cursor }
}

async function paymentsIn(
  book: Book,
  transactions: readonly NodeTransaction[],
  at: Pick<Found, 'height' | 'time'>,
): Promise<Found[]> {
  const outputs = transactions.flatMap(({ txid, vout }) =>
    vout.map(({ n, value, scriptPubKey }) => ({ txid, position: n, target: scriptPubKey.hex ?? '', value })),
  )
  const ours = new Set(
    (await book.among([...new Set(outputs.map(({ target }) => target))])).map(({ target }) => target),
  )
  return outputs.flatMap(({ value, ...output }) => {
    // Whole coins as a number with eight decimals: exact up to all that will ever exist.
    const units = BigInt(Math.round(value * 1e8))
    return ours.has(output.target) && units > 0n ? [{ ...output, ...at, units }] : []
  })
}

async function spentBy(book: Book, transactions: readonly NodeTransaction[], found: readonly Found[]) {
  const inputs = transactions.flatMap(({ vin }) =>
    vin.flatMap(({ txid, vout }) => (txid !== undefined && vout !== undefined ? [{ txid, position: vout }] : [])),
  )
  const known = await book.unspent([...new Set(inputs.map(({ txid }) => txid))])
  const ours = new Set([...known, ...found].map(nameOf))
  return inputs.filter((input) => ours.has(nameOf(input)))
}

async function readWaiting(url: string, node: Node, book: Book, waiting: Set<string>) {
  const known = new Set([...(strangers.get(url) ?? [])].filter((txid) => waiting.has(txid)))
  strangers.set(url, known)
  const unknown = [...waiting].filter((txid) => !known.has(txid))
  const news = unknown.slice(0, waitingMax)
  const found: Found[] = []
  for (let from = 0; from < news.length; from += batchMax) {
    const transactions = await node.transactions(news.slice(from, from + batchMax))
    const payments = await paymentsIn(book, transactions, { height: null, time: null })
    found.push(...payments)
    const ours = new Set(payments.map(({ txid }) => txid))
    for (const { txid } of transactions) if (!ours.has(txid)) known.add(txid)
  }
  return { found, isMore: unknown.length > news.length }
}

/** Payments that are in none of the blocks that were read: they wait again, or are gone. */
async function lookFor(node: Node, missing: readonly CryptoSightingRow[], isAtTip: boolean) {
  const waiting = new Set<string>()
  for (let from = 0; from < missing.length; from += batchMax) {
    const txids = missing.slice(from, from + batchMax).map(({ txid }) => txid)
    for (const { txid } of await node.transactions(txids)) waiting.add(txid)
  }
  const isWaiting = ({ txid }: CryptoSightingRow) => waiting.has(txid) || !isAtTip
  const again = missing.filter(isWaiting).map(({ txid, position, target, units }) => ({
    ...{ txid, position, target, units: BigInt(units) },
    ...{ height: null, time: null },
  }))
  return { again, gone: missing.filter((each) => !isWaiting(each)) }
}
