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

const Transactions = Type.Array(
  Type.Object({
    txid: Type.String(),
    vin: Type.Array(Type.Object({ txid: Type.String(), vout: Type.Integer() })),
    vout: Type.Array(Type.Object({ scriptpubkey: Type.String(), value: Type.Integer() })),
    status: Type.Object({
      confirmed: Type.Boolean(),
      block_height: Type.Optional(Type.Integer()),
      block_time: Type.Optional(Type.Integer()),
    }),
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
    for (let from = 0; from < all.length; from += atOnce) {
      const looks = await Promise.all(all.slice(from, from + atOnce).map((address) => lookAt(url, address)))
      for (const look of looks) {
        found.push(...look.found)
        inputs.push(...look.inputs)
      }
    }
    const targets = new Set(all.map(({ target }) => target))
    const gone = await goneOf(
      url,
      book.live.filter((each) => targets.has(each.target) && !found.some(isSame(each))),
    )
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
    vout.flatMap(({ scriptpubkey, value }, position) => {
      const { confirmed, block_height: height = null, block_time: time = null } = status
      const at =
        confirmed && height !== null
          ? { height, time: time === null ? null : new Date(time * 1000) }
          : { height: null, time: null }
      return scriptpubkey === target && value > 0 ? [{ txid, position, target, units: BigInt(value), ...at }] : []
    }),
  )
  const inputs = transactions
    .filter(({ status }) => status.confirmed)
    .flatMap(({ vin }) => vin.map(({ txid, vout }) => ({ txid, position: vout })))
  return { found, inputs }
}

/** A list of an address may be cut short: what is not in it is asked for by its id. */
async function goneOf(url: string, missing: readonly CryptoSightingRow[]): Promise<CryptoSightingRow[]> {
  const gone: CryptoSightingRow[] = []
  for (const each of missing) {
    if ((await ask(url, `tx/${each.txid}/status`)) === undefined) gone.push(each)
  }
  return gone
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
