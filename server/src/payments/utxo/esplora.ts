import { type Static, Type, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { askPeer } from '#platform/outbound/peer'
import { refuseBehind } from './behind.ts'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import type { ChainReader, Found, Outpoint } from '../chain/chain.ts'

const timeoutSeconds = 10
const answerBytesMax = 16 * 1024 * 1024
/** Addresses that are asked for at once. */
const atOnce = 4
/** Payments with fewer blocks are asked about in every reading. */
const shallow = 6
/** The list of an address has at least so many of those that wait, if there are so many. */
const listedMin = 25

const Status = Type.Object({
  confirmed: Type.Boolean(),
  block_height: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  block_time: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})
const Transactions = Type.Array(
  Type.Object({
    txid: Type.String(),
    vin: Type.Array(Type.Object({ txid: Type.String(), vout: Type.Integer() })),
    vout: Type.Array(Type.Object({ scriptpubkey: Type.String(), value: Type.Integer() })),
    status: Status,
  }),
)

/** Reads a chain through an Esplora-compatible server, address by address. */
export function esploraReader(url: string): ChainReader {
  return async (book) => {
    // Before anything else: a block that comes meanwhile then counts too few confirmations, never too many.
    const tip = await esploraTip(url)
    refuseBehind(book.cursor, tip)
    const turn = await book.turn()
    const young = book.live.filter(({ height }) => height === null || tip - height + 1 < shallow)
    const asked = new Set(turn.map(({ target }) => target))
    const more = await book.among([...new Set(young.map(({ target }) => target))].filter((each) => !asked.has(each)))
    const all = [...turn, ...more]
    const found: Found[] = []
    const inputs: Outpoint[] = []
    const crowded = new Set<string>()
    for (let from = 0; from < all.length; from += atOnce) {
      const looks = await Promise.all(all.slice(from, from + atOnce).map((address) => lookAt(url, address)))
      for (const look of looks) {
        found.push(...look.found)
        inputs.push(...look.inputs)
        if (look.waiting >= listedMin) crowded.add(look.target)
      }
    }
    const targets = new Set(all.map(({ target }) => target))
    const missing = book.live.filter((each) => targets.has(each.target) && !found.some(isSame(each)))
    const { gone, again } = await lookFor(url, missing, crowded)
    found.push(...again)
    const ours = await book.unspent([...new Set(inputs.map(({ txid }) => txid))])
    const spent = inputs.filter((input) => [...ours, ...found].some(isSame(input)))
    return { tip, cursor: { height: tip }, isBehind: false, found, gone, spent, asked: [...asked] }
  }
}

export async function esploraTip(url: string): Promise<number> {
  return read(Type.Integer(), await ask(url, 'blocks/tip/height'))
}

const isSame =
  ({ txid, position }: Outpoint) =>
  (other: Outpoint) =>
    other.txid === txid && other.position === position

async function lookAt(url: string, { address, target }: CryptoAddressRow) {
  const transactions = read(Transactions, await ask(url, `address/${address}/txs`))
  const found = transactions.flatMap(({ txid, vout, status }) =>
    vout.flatMap(({ scriptpubkey, value }, position) =>
      scriptpubkey === target && value > 0
        ? [{ txid, position, target, units: BigInt(value), ...placeOf(status) }]
        : [],
    ),
  )
  const inputs = transactions
    .filter(({ status }) => status.confirmed)
    .flatMap(({ vin }) => vin.map(({ txid, vout }) => ({ txid, position: vout })))
  return { target, found, inputs, waiting: transactions.filter(({ status }) => !status.confirmed).length }
}

function placeOf({ confirmed, block_height, block_time }: Static<typeof Status>): Pick<Found, 'height' | 'time'> {
  const height = block_height ?? null
  const time = block_time ?? null
  if (!confirmed || height === null) return { height: null, time: null }
  return { height, time: time === null ? null : new Date(time * 1000) }
}

/**
 * The list of an address may be cut short: what is not in it is asked for by its id. Of what they have never heard of,
 * servers say that it is not confirmed, as of what waits: only the list, or the transaction itself, tells them apart.
 */
async function lookFor(url: string, missing: readonly CryptoSightingRow[], crowded: ReadonlySet<string>) {
  const gone: CryptoSightingRow[] = []
  const again: Found[] = []
  for (const each of missing) {
    const { txid, position, target, units } = each
    const answer = await ask(url, `tx/${txid}/status`)
    const status = answer && read(Status, answer)
    if (status?.confirmed) again.push({ txid, position, target, units: BigInt(units), ...placeOf(status) })
    else if (!status || !crowded.has(target) || (await ask(url, `tx/${txid}`)) === undefined) gone.push(each)
  }
  return { gone, again }
}

/** Undefined when there is no such thing. */
async function ask(url: string, path: string): Promise<Buffer | undefined> {
  const answer = await askPeer(`${url.replace(/\/$/, '')}/${path}`, { timeoutSeconds, answerBytesMax })
  if (answer instanceof Error) throw new Error(`the Esplora server does not answer: ${answer.message}`)
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw new Error(`the Esplora server answered with status ${answer.status}`)
  return answer.body
}

function read<S extends TSchema>(schema: S, body: Buffer | undefined): Static<S> {
  const value = parsed(body?.toString('utf8') ?? '')
  if (!Value.Check(schema, value)) throw new Error('the Esplora server answered something that cannot be read')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
