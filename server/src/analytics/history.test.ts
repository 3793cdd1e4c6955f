import assert from 'node:assert/strict'
import { scopeNames } from '@keystall/contract/scopes'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import { aProduct, aShop } from '#test/shop'
import { useServer } from '#test/harness'
import { selectAnalytics } from '#views/analytics'
import { rebuildRollups, sumUpDays } from './rollups.ts'
import { windowOf } from './window.ts'

const server = useServer()
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const productsMade = 7
const customersMade = 4

interface Line {
  product: number
  partMinor: number
}

interface PastOrder {
  ageMs: number
  customer: number
  isPaid: boolean
  currency: 'USD' | 'EUR'
  lines: Line[]
  /** Of what was paid, in percent. */
  refunded: number
  surplusMinor: number
}

interface History {
  now: Date
  orders: PastOrder[]
  tickets: number[]
  visits: Map<number, number>
}

const now = fc.constantFrom(
  new Date('2026-03-15T10:20:30.123Z'),
  new Date('2026-03-01T00:00:00.000Z'),
  new Date('2024-02-29T23:59:59.999Z'),
  new Date('2025-12-31T12:00:00.000Z'),
)

// Close to the ends of windows and days, where errors live.
const age = fc.oneof(
  fc.nat(800 * dayMs),
  fc.nat(3 * dayMs),
  fc
    .tuple(fc.constantFrom(1, 2, 7, 14, 30, 60, 365, 730), fc.integer({ min: -2, max: 2 }))
    .map(([days, off]) => Math.max(0, days * dayMs + off)),
  fc
    .tuple(fc.nat(70), fc.integer({ min: -1, max: 1 }))
    .map(([days, off]) => Math.max(0, days * dayMs + 10 * hourMs + 20 * 60_000 + 30_123 + off)),
)

const pastOrder: fc.Arbitrary<PastOrder> = fc.record({
  ageMs: age,
  customer: fc.nat(customersMade - 1),
  isPaid: fc.boolean().map((isUnpaid) => !isUnpaid),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  lines: fc.uniqueArray(fc.record({ product: fc.nat(productsMade - 1), partMinor: fc.nat(5000) }), {
    selector: ({ product }) => product,
    minLength: 1,
    maxLength: 3,
  }),
  refunded: fc.constantFrom(0, 0, 0, 1, 33, 50, 100),
  surplusMinor: fc.constantFrom(0, 0, 0, 0, 250),
})

const history: fc.Arbitrary<History> = fc.record({
  now,
  orders: fc.array(pastOrder, { maxLength: 40 }),
  tickets: fc.array(age, { maxLength: 10 }),
  visits: fc
    .array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 50 })), { maxLength: 20 })
    .map((days) => new Map(days)),
})

const costOf = ({ lines }: PastOrder) => lines.reduce((sum, { partMinor }) => sum + partMinor, 0)
const paidOf = (order: PastOrder) => (order.isPaid ? costOf(order) + order.surplusMinor : 0)
const refundedOf = (order: PastOrder) => Math.floor((paidOf(order) * order.refunded) / 100)

describe('analytics of any history', () => {
  test('are what a look at every order gives', async () => {
    const { store, products } = await aStoreWithProducts()
    const { db } = server.platform
    await fc.assert(
      fc.asyncProperty(history, fc.constantFrom(1, 2, 7, 30, 365), fc.boolean(), async (past, days, isSummedUp) => {
        await forget(store.id)
        const half = Math.floor(past.orders.length / 2)
        await remember(store.id, products, past, past.orders.slice(0, half))
        await rebuildRollups(db, store.id)
        if (isSummedUp) await sumUpDays(db)
        await remember(store.id, products, { ...past, tickets: [], visits: new Map() }, past.orders.slice(half))
        await rebuildRollups(db, store.id)

        assert.deepEqual(await shownOf(store, past.now, days), bruteForce(products, past, days))
      }),
      { numRuns: 60 },
    )
  }, 180_000)

  test.each(['09', '15'])('count of the first day what lies within, seen at %s:00', async (hour) => {
    const { store, products } = await aStoreWithProducts()
    const now = new Date(`2026-03-15T${hour}:00:00.000Z`)
    const order = { customer: 0, isPaid: true, currency: 'USD', refunded: 0, surplusMinor: 0 } as const
    const whole = { ...order, lines: [{ product: 0, partMinor: 1000 }] }
    const partly = {
      ...order,
      lines: [
        { product: 0, partMinor: 300 },
        { product: 1, partMinor: 501 },
      ],
      refunded: 50,
    }
    const ages = [-60_000, 60_000, 8 * hourMs].map((ms) => 7 * dayMs + ms)
    const orders = ages.flatMap((ageMs) => [
      { ...whole, ageMs },
      { ...partly, ageMs },
    ])
    const past = { now, orders, tickets: [], visits: new Map() }

    await remember(store.id, products, past, orders)
    await rebuildRollups(server.platform.db, store.id)

    assert.deepEqual(await shownOf(store, now, 7), bruteForce(products, past, 7))
  })
})

async function aStoreWithProducts() {
  const seller = await aShop(server)
  const products: string[] = []
  for (let made = 0; made < productsMade; made += 1) products.push((await aProduct(seller)).id)
  const { db } = server.platform
  const store = await db.selectFrom('stores').where('id', '=', seller.storeId).selectAll().executeTakeFirstOrThrow()
  return { store, products }
}

async function shownOf(store: StoreRow, now: Date, days: number) {
  const { db } = server.platform
  const seller = { store, rights: new Set(scopeNames) }
  return plain(await selectAnalytics(db, server.platform, seller, windowOf(days, now)))
}

function plain(shown: Awaited<ReturnType<typeof selectAnalytics>>) {
  const { orders: _orders, visitors: _visitors, popularProducts, orderAnalytics, ...rest } = shown
  return {
    ...rest,
    popularProducts: popularProducts.map(({ product, cost }) => [product.id, cost]),
    orderAnalytics: orderAnalytics.map(({ date, orders }) => [date.toISOString(), orders]),
  }
}

function revenueOf(orders: PastOrder[]): number {
  const own = orders.filter(({ currency }) => currency === 'USD')
  return own.reduce((sum, order) => sum + paidOf(order) - refundedOf(order), 0)
}

function bruteForce(products: string[], { now, orders, tickets, visits }: History, days: number) {
  const isIn = (ageMs: number, windows: number) => ageMs <= windows * days * dayMs
  const paid = orders.filter(({ isPaid }) => isPaid)
  const within = paid.filter(({ ageMs }) => isIn(ageMs, 1))
  const before = paid.filter(({ ageMs }) => !isIn(ageMs, 1) && isIn(ageMs, 2))
  const newIn = (some: PastOrder[]) =>
    Array.from(
      { length: customersMade },
      (_, customer) => paid.filter((order) => order.customer === customer).toSorted((a, b) => b.ageMs - a.ageMs)[0],
    ).filter((first) => first !== undefined && some.includes(first)).length
  const dayOf = (ageMs: number) => new Date(now.getTime() - ageMs).toISOString().slice(0, 10)
  const visitsOf = (from: number, to: number) =>
    [...visits].reduce((sum, [ago, count]) => (ago >= from && ago <= to ? sum + count : sum), 0)
  return {
    revenue: revenueOf(within) / 100,
    overallOrders: within.length,
    customers: newIn(within),
    tickets: tickets.filter((ageMs) => isIn(ageMs, 1)).length,
    overallVisitors: visitsOf(0, days),
    visitorsChange: percent(visitsOf(0, days), visitsOf(days + 1, 2 * days + 1)),
    customersChange: percent(newIn(within), newIn(before)),
    revenueChange: percent(revenueOf(within), revenueOf(before)),
    ordersChange: percent(within.length, before.length),
    popularProducts: earners(products, within),
    orderAnalytics: Array.from({ length: days + 1 }, (_, index) => {
      const day = dayOf((days - index) * dayMs)
      return [`${day}T00:00:00.000Z`, within.filter(({ ageMs }) => dayOf(ageMs) === day).length]
    }),
  }
}

function percent(after: number, before: number): number {
  if (before === 0) return after === 0 ? 0 : 100
  return Math.round(((after - before) / before) * 10_000) / 100
}

function earners(products: string[], orders: PastOrder[]) {
  const minor = new Map<string, number>()
  for (const order of orders.filter(({ currency }) => currency === 'USD')) {
    const cost = costOf(order)
    const earned = Math.min(cost, paidOf(order) - refundedOf(order))
    let upto = 0
    for (const { product, partMinor } of order.lines) {
      const share = (sum: number) => (cost === 0 ? 0 : Math.floor((earned * sum) / cost))
      const id = products[product] ?? ''
      minor.set(id, (minor.get(id) ?? 0) + share(upto + partMinor) - share(upto))
      upto += partMinor
    }
  }
  return [...minor]
    .filter(([, amount]) => amount > 0)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 5)
    .map(([id, amount]) => [id, amount / 100])
}

async function forget(storeId: string) {
  const tables = ['orders', 'order_lines', 'payments', 'customers', 'store_days', 'product_days', 'product_spans']
  for (const table of [...tables, 'tickets', 'ticket_days', 'store_visits']) {
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}`.execute(server.platform.db)
  }
}

async function remember(storeId: string, products: string[], past: History, orders: PastOrder[]) {
  const { db } = server.platform
  const at = (ageMs: number) => new Date(past.now.getTime() - ageMs)
  const customers = Array.from({ length: customersMade }, (_, index) => `00000000-0000-7000-8000-00000000000${index}`)
  for (const [index, id] of customers.entries()) {
    await sql`insert into customers (store_id, id, email_address) values (${storeId}, ${id}, ${`c${index}@example.com`})
      on conflict do nothing`.execute(db)
  }
  for (const order of orders) {
    const id = newId()
    const cost = costOf(order)
    const paidAt = order.isPaid ? at(order.ageMs) : null
    await sql`
      insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency, exponent,
        subtotal_minor, discount_minor, fee_minor, cost_minor, paid_minor, refunded_minor, paid_at)
      values (${storeId}, ${id}, ${at(order.ageMs)}, 'api', 'k', ${order.isPaid ? 'Delivered' : 'Incomplete'}, 'test',
        ${customers[order.customer]}, 1, ${order.currency}, 2, ${cost}, 0, 0, ${cost}, ${paidOf(order)},
        ${refundedOf(order)}, ${paidAt})
    `.execute(db)
    for (const [position, line] of order.lines.entries()) {
      // Two of them, less a discount and with a fee, are the part.
      await sql`
        insert into order_lines (store_id, order_id, product_id, position, product_name, quantity, cost_minor,
          discount_minor, fee_minor, is_dynamic, takes_items, can_wait)
        values (${storeId}, ${id}, ${products[line.product]}, ${position}, 'p', 2, ${line.partMinor}, ${line.partMinor + 3}, 3,
          false, true, false)
      `.execute(db)
    }
  }
  await sql`
    update customers set first_paid_at = (
      select min(paid_at) from orders where orders.store_id = ${storeId} and orders.customer_id = customers.id
    ) where store_id = ${storeId}
  `.execute(db)
  for (const ageMs of past.tickets) {
    await sql`insert into tickets (store_id, id, date_created, order_id, customer_id, subject)
      values (${storeId}, ${newId()}, ${at(ageMs)}, ${newId()}, ${newId()}, 's')`.execute(db)
  }
  for (const [ago, visits] of past.visits) {
    const day = at(ago * dayMs)
      .toISOString()
      .slice(0, 10)
    await sql`insert into store_visits (store_id, day, id, visits) values (${storeId}, ${day}::date, ${newId()}, ${visits})`.execute(
      db,
    )
  }
}
