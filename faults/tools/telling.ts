import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrder, payOrderAsTest, viewOrder } from '../../contract/src/endpoints/checkout.ts'
import type { Annex } from './annex.ts'
import type { Bought } from './buyers.ts'
import type { Placed } from './ledger.ts'
import { answered, isPassing } from './requests.ts'

// What the stories of the second store are told with. Whoever asks a server that dies over and over asks again.

export type Coin = 'bitcoin' | 'litecoin' | 'ethereum' | 'usdc'

interface Wish {
  gateway: 'test' | 'card' | 'transfer' | Coin
  emailAddress: string
  productId?: string
  /** What will have become of it in the end. */
  fate?: Placed['fate']
}

const patienceMs = 240_000
const lookEveryMs = 200

export async function placeOrder(
  { buyer, ledger, products, storeId }: Annex,
  { gateway, emailAddress, productId = products.key, fate = 'paid' }: Wish,
): Promise<Bought> {
  const body = { items: [{ productId, quantity: 1 }], gateway, emailAddress, couponCode: null }
  const { data } = await answered((headers) => buyer(checkOut, { path: { storeId }, body, headers }))
  const { id, key } = Object(data[0]).order
  ledger.placed.set(id, { fate, told: null })
  ledger.acknowledge('placed', id)
  return { id, key }
}

/** What the buyer must do, with a coin. */
export async function beginToPay({ buyer }: Annex, { id, key }: Bought): Promise<{ address: string; amount: string }> {
  const path = { orderId: id }
  const { data } = await answered((headers) => buyer(payOrder, { path, headers: { ...headers, 'x-order-key': key } }))
  return { address: data.address ?? '', amount: data.amount ?? '' }
}

export async function payWithTestMoney({ buyer }: Annex, { id, key }: Bought): Promise<void> {
  const path = { orderId: id }
  const body = { outcome: 'paid' as const }
  await answered((headers) => buyer(payOrderAsTest, { path, body, headers: { ...headers, 'x-order-key': key } }))
}

export async function untilOrderIs({ buyer }: Annex, { id, key }: Bought, status: string): Promise<void> {
  await until(`an order that is ${status}`, async () => {
    const { data } = await buyer(viewOrder, { path: { orderId: id }, headers: { 'x-order-key': key } })
    return data.status === status
  })
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo().catch(passing))) {
    if (performance.now() > end) throw new Error(`it did not come: ${what}`)
    await sleep(lookEveryMs)
  }
}

function passing(error: unknown): boolean {
  if (!isPassing(error)) throw error
  return false
}

/** What the tables say. */
export async function ask<Row extends object>(
  { database }: Annex,
  statement: string,
  values: unknown[],
): Promise<Row[]> {
  const client = await database.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/**
 * The time has come for a job: what the rows say of that time is set back with it, since a job that came too early would
 * find nothing to do, and never come again.
 */
export async function letTimePass(
  { database, storeId }: Annex,
  { queue, data }: { queue: string; data: object },
  setBack?: { text: string; values: unknown[] },
): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin')
    if (setBack) await client.query(setBack)
    const { rowCount } = await client.query(
      'update jobs set run_at = now() where queue = $1 and data @> $2 and lease is null and tries = 0',
      [queue, JSON.stringify({ storeId, ...data })],
    )
    if (rowCount === 0) throw new Error(`no job ${queue} waits`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** In the end there is one such mail, or as many as were wished for at most. */
export function expectMail(annex: Annex, to: string, words: RegExp, wishes = 1): void {
  annex.expected.set(`mails like ${words}`, async () => {
    const said = "select concat_ws(E'\\n', subject, text) as words from mails where to_address = $1"
    const mails = await ask<{ words: string }>(annex, said, [to])
    const count = mails.filter((mail) => words.test(mail.words)).length
    return count >= 1 && count <= wishes
  })
}
