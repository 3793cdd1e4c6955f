import type { Book, Found, Ledger, Move, Outpoint } from '../chain/chain.ts'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import { type EvmClient, isRefusal } from './client.ts'
import { headerAt, heightBefore } from './headers.ts'
import type { Block, CoinReading } from './coin-reading.ts'

/** Addresses that the node is asked about at once. */
const atOnce = 20

interface Reading {
  client: EvmClient
  coin: CoinReading
  book: Book
  /** The last block that was known before. */
  first: number
  /** The last block of all; undefined when there is no new one, or more is to be read. */
  at: Block | undefined
  /** What the blocks since show. */
  found: readonly Found[]
  moves: readonly Move[]
  /** Payments of this kind whose block may be none any more. */
  unsure: readonly CryptoSightingRow[]
}

/** A payment that no block shows is named by its address and the block in which the balance was higher. */
export function isSeenInBalance({ txid }: Outpoint): boolean {
  return txid.includes('@')
}

/**
 * What a contract sends stands in no block as a transaction to the address: it is what the address holds more than is
 * known of it. It counts from the block in which it was noticed.
 */
export async function seenInBalances(reading: Reading): Promise<Unseen> {
  const { coin, at, unsure } = reading
  const later = { found: unsure.map(waitingAgain), gone: [], asked: [], priors: [] }
  if (!coin.balance || !at) return later
  return compare(reading, at).catch((error: unknown) => {
    // A node that does not tell balances is still believed in what its blocks show.
    if (isRefusal(error)) return later
    throw error
  })
}

interface Unseen {
  found: Found[]
  gone: Outpoint[]
  asked: string[]
  priors: { target: string; units: bigint }[]
}

async function compare(reading: Reading, at: Block): Promise<Unseen> {
  const { client, book, first, unsure } = reading
  const turn = await book.turn()
  const asked = turn.map(({ target }) => target)
  const others = await book.among(unsure.map(({ target }) => target).filter((target) => !asked.includes(target)))
  const addresses = [...turn, ...others]
  const ledgers = await book.ledgers([...asked, ...others.map(({ target }) => target)], first)
  const start = addresses.length > 0 && first >= 0 ? await headerAt(client, first) : undefined
  const startsAt = start && new Date(Number(start.timestamp) * 1000)
  const found: Found[] = []
  const priors: { target: string; units: bigint }[] = []
  for (let from = 0; from < addresses.length; from += atOnce) {
    const looks = addresses.slice(from, from + atOnce).map(async (address) => {
      const ledger = ledgers.find(({ target }) => target === address.target)
      const { units, prior } = await unknownOf(reading, at, { address, ledger, startsAt })
      const { target } = address
      if (ledger?.prior === null) priors.push({ target, units: prior })
      if (units > 0n) found.push({ txid: `${target}@${at.hash}`, position: 0, target, units, ...placeOf(at) })
    })
    await Promise.all(looks)
  }
  const isSame = addresses.length === 0 || (await headerAt(client, at.height))?.hash === at.hash
  if (!isSame) throw new Error('the chain changed while it was read')
  return { found, gone: unsure.filter(({ txid }) => !found.some((each) => each.txid === txid)), asked, priors }
}

const placeOf = ({ height, time }: Block) => ({ height, time })

/** The balance cannot be asked yet. */
function waitingAgain({ txid, position, target, units }: CryptoSightingRow): Found {
  return { txid, position, target, units: BigInt(units), height: null, time: null }
}

interface Asked {
  address: CryptoAddressRow
  ledger: Ledger | undefined
  /** The time of the last block that was known before. */
  startsAt: Date | undefined
}

/** What an address holds and nobody knows from where. */
async function unknownOf(reading: Reading, at: Block, asked: Asked): Promise<{ units: bigint; prior: bigint }> {
  const { client, coin, found, moves } = reading
  const { target } = asked.address
  const sum = (list: readonly { target: string; units: bigint }[]) =>
    list.reduce((total, each) => (each.target === target ? total + each.units : total), 0n)
  const { received = '0', sent = '0', prior: known = null } = asked.ledger ?? {}
  const holds = (await coin.balance?.(client, target, at.height)) ?? 0n
  const surplus = holds - BigInt(received) - sum(found) + BigInt(sent) + sum(moves)
  const prior = known === null ? await priorOf(reading, asked, surplus) : BigInt(known)
  return { units: surplus - prior, prior }
}

/**
 * What it held before it was an order's. A node that no longer knows is not guessed for: then nothing is taken for a
 * payment that may be older than the order.
 */
async function priorOf({ client, coin, first }: Reading, { address, startsAt }: Asked, surplus: bigint) {
  if (surplus <= 0n) return 0n
  const { dateCreated, target } = address
  const height = startsAt && startsAt < dateCreated ? first : await heightBefore(client, dateCreated, first)
  if (height < 0) return 0n
  return (
    (await coin.balance?.(client, target, height).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      return surplus
    })) ?? 0n
  )
}
