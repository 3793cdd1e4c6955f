import { rm } from 'node:fs/promises'
import { signIn } from '../../contract/src/endpoints/account.ts'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { savePaymentSettings, switchPaymentMethod } from '../../contract/src/endpoints/payment-methods.ts'
import { createProduct } from '../../contract/src/endpoints/products.ts'
import { createStore } from '../../contract/src/endpoints/stores.ts'
import { createWebhook } from '../../contract/src/endpoints/webhooks.ts'
import type { Call } from '../../contract/src/client.ts'
import { askingFor, Line } from '../../server/test/line.ts'
import { stripeKeys } from '../../server/test/stripe-server.ts'
import type { OwnDatabase } from './database.ts'
import { type Ledger, openLedger } from './ledger.ts'
import type { Outside } from './outside.ts'
import type { World } from './world.ts'

/** A second store of the seller: it takes every kind of money, and what seldom happens in a shop happens there. */
export interface Annex extends Furniture {
  outside: Outside
  database: OwnDatabase
  ledger: Ledger
  buyer: Call
  seller: Call
  line: Line
  /** Of the seller, at the dashboard. */
  cookie: string
  /** What must be so in the end, by its name. */
  expected: Map<string, () => Promise<boolean>>
  hasDied(point: string): boolean
  close(): Promise<void>
}

interface Furniture {
  storeId: string
  products: { key: string; club: string; cleared: string; large: string }
  /** Appended before the stories began, by product. */
  items: Map<string, number>
}

export const sellersPassword = 'correct horse battery'
const sellersAddress = 'ada@example.com'

const paymentSettings = {
  card: stripeKeys,
  transfer: { email: sellersAddress, transferEmail: 'pay@example.com', words: 'Thank you!' },
  bitcoin: { isMadeHere: true, confirmations: '1' },
  litecoin: { isMadeHere: true, confirmations: '1' },
  ethereum: { isMadeHere: true, confirmations: '1' },
  usdc: { isMadeHere: true, confirmations: '1' },
}

export async function openAnnex(
  { servers, database, requests, apiKey, ledger: { file } }: World,
  { outside, hasDied }: Pick<Annex, 'outside' | 'hasDied'>,
): Promise<Annex> {
  const port = servers[0]?.port ?? 0
  const seller = requests.client(() => port, { authorization: `Bearer ${apiKey}` })
  const line = new Line({ port, api: `localhost:${port}`, dash: `dash.localhost:${port}` })
  const ledger = openLedger(`${file}.annex`)
  return {
    ...(await furnish(seller, outside)),
    ...{ outside, database, ledger, seller, line, hasDied },
    buyer: requests.client(() => port),
    cookie: await enter(line),
    expected: new Map(),
    async close() {
      line.close()
      await rm(ledger.file, { force: true })
    },
  }
}

async function furnish(seller: Call, { receiver }: Outside): Promise<Furniture> {
  const body = { name: 'Annex', url: 'annex', reviewRequestDays: 7 }
  const { data: store } = await seller(createStore, { body })
  const path = { storeId: store.id }
  await seller(switchPaymentMethod, { path: { ...path, method: 'test' }, body: { isEnabled: true } })
  for (const [method, settings] of Object.entries(paymentSettings))
    await seller(savePaymentSettings, { path: { ...path, method }, body: { settings } })
  receiver.secret = store.webhookSecret
  await seller(createWebhook, { path, body: { url: receiver.url('events') } })
  const items = new Map<string, number>()
  const aProduct = async (name: string, count: number, more: Record<string, unknown> = {}) => {
    const { data } = await seller(createProduct, { path, body: { name, cost: 10, visibility: 0, ...more } })
    const texts = Array.from({ length: count }, (_, index) => `${name} ${index}`)
    if (count > 0) await seller(appendItems, { path: { ...path, productId: data.id }, body: { items: texts } })
    items.set(data.id, count)
    return data.id
  }
  const products = {
    key: await aProduct('A key', 40),
    club: await aProduct('Club', 20, { type: 1, subscriptionPeriod: 'P30D' }),
    cleared: await aProduct('Cleared', 5),
    large: await aProduct('Large', 0),
  }
  return { storeId: store.id, products, items }
}

async function enter(line: Line): Promise<string> {
  const body = JSON.stringify({ emailAddress: sellersAddress, password: sellersPassword })
  const { status, headers, text } = await line.ask(askingFor(line.address, signIn, { body }, {}))
  if (status !== 200) throw new Error(`signing in failed: ${text}`)
  const set = [headers['set-cookie'] ?? []].flat()
  return set.map((each) => each.split(';')[0]).join('; ')
}
