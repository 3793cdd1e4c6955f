import type { Book, ChainReader, Found, Look, Move, Outpoint } from '../chain/chain.ts'
import type { CryptoSightingRow } from '../tables.ts'
import { isSeenInBalance, seenInBalances } from './balances.ts'
import { asHex, type EvmClient } from './client.ts'
import type { Block, CoinReading } from './coin-reading.ts'
import { headerAt, heightBefore, unlessMissing } from './headers.ts'

/** How many blocks are read at a time; the rest waits for the next reading. */
const blocksMax = 50
/** How far back a reorganisation is followed block by block. */
export const finalDepth = 64

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
    const { found, moves } = await foundIn(client, coin, book, blocks)
    const last = blocks.at(-1)?.height ?? first
    const unsure = book.live.filter(({ height }) => height === null || height > first)
    const direct = unsure.filter((row) => !isSeenInBalance(row))
    const { gone, waiting } = await sought(client, direct.filter(isMissingIn(found)), last)
    const marks = [...kept, ...blocks.map(({ height, hash }) => ({ height, hash }))].slice(-finalDepth)
    const isBehind = blocks.length === blocksMax && last < head
    const at = isBehind ? undefined : blocks.at(-1)
    const unseen = await seenInBalances({
      client,
      coin,
      book,
      first,
      at,
      found,
      moves,
      unsure: unsure.filter(isSeenInBalance),
    })
    return {
      ...{ tip: head, cursor: { marks }, isBehind, spent: [], asked: unseen.asked, priors: unseen.priors },
      found: [...found, ...waiting, ...unseen.found],
      gone: [...gone, ...unseen.gone],
      left: { above: first, moves },
    }
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

async function foundIn(client: EvmClient, coin: CoinReading, book: Book, blocks: readonly Block[]) {
  const all = blocks.flatMap(({ transfers, ...block }) => transfers.map((transfer) => ({ ...transfer, block })))
  const targets = new Set(all.flatMap(({ from, to }) => [from, to]))
  const own = new Set((await book.among([...targets])).map(({ target }) => target))
  const found: Found[] = []
  const moves: Move[] = []
  for (const { block, ...transfer } of all) {
    const { from, to, txid, position, units, feeMax } = transfer
    const [isOurs, isMoved] = [own.has(to) && units > 0n, own.has(from)]
    if (!(isOurs || isMoved)) continue
    const { hasMoved, fee } = await coin.outcome(client, transfer)
    const at = { txid, position, height: block.height }
    if (isMoved) moves.push({ ...at, target: from, units: (hasMoved ? units : 0n) + fee, feeUnits: feeMax })
    if (isOurs && hasMoved) found.push({ ...at, target: to, units, time: block.time })
  }
  return { found, moves }
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
