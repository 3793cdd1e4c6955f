import { cancelOwnOrder, checkOut } from '@keystall/contract/endpoints/checkout'
import { appendItems } from '@keystall/contract/endpoints/items'
import { cancelOrder, createOrder } from '@keystall/contract/endpoints/orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { assert, test } from 'vitest'
import { badBodies } from '#test/bad-bodies'
import { checksumming } from '#test/checksum'
import type { Seller } from '#test/factories'
import type { Furnished } from '#test/furnished'
import { call, useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, orderForm, pay } from '#test/shop'

const server = useServer({ hasJobs: false })

const walks = Number(process.env['WALKS'] ?? 3)
const stepsMax = 40
const usesMax = 4

type Act = (typeof names)[number]

const names = [
  ...(['append', 'order', 'order with the coupon', 'pay', 'cancel', 'cancel by the buyer'] as const),
  ...(['order something strange', 'check something strange out', 'append something strange'] as const),
] as const

const step = fc.tuple(fc.constantFrom(...names), fc.nat())
const walk = fc.array(step, { minLength: stepsMax / 2, maxLength: stepsMax })

interface Outcome {
  status: number
  refused: object | undefined
}

test(`wherever a shop is led, no item and no use of a coupon is lost or there twice (WALKS=${walks})`, async () => {
  const look = await checksumming(
    async (text) => (await sql.raw<Record<string, unknown>>(text).execute(server.platform.db)).rows,
    { hasJobs: false },
  )
  await fc.assert(
    fc.asyncProperty(walk, async (steps) => {
      const { acts, check } = await openShop()
      let before = await look()
      for (const [act, number] of steps) {
        const { status, refused } = await acts[act](number)
        assert.isBelow(status, 500)
        const after = await look()
        if (refused) assert.deepEqual(after, before, `refused: ${act}, ${number}`)
        before = after
        await check()
      }
    }),
    { numRuns: walks, seed: Number(process.env['SEED'] ?? 20) },
  )
}, 600_000)

/** A number says how many, or which of those that are there. */
async function openShop(): Promise<{
  acts: Record<Act, (number: number) => Promise<Outcome>>
  check(): Promise<void>
}> {
  const seller = await aShop(server)
  const product = await aProduct(seller, { items: 5 })
  const coupon = await aCoupon(seller, { maximumUses: usesMax })
  const path = { productId: product.id }
  const furnished: Furnished = {
    ids: { ...path, storeId: seller.storeId },
    orderKey: '',
    secrets: [],
    planted: new Set(),
  }
  const orders = [await anOrder(seller, product)]
  let appended = 5

  async function place(quantity: number, { hasCoupon }: { hasCoupon: boolean }): Promise<Outcome> {
    const { left, uses } = await stockOf(seller)
    const items = [{ productId: product.id, quantity }]
    const body = { ...orderForm(product), items, ...(hasCoupon ? { couponCode: coupon.name } : {}) }
    const placed = await seller.call(createOrder, { body })
    assert.equal(placed.refused === undefined, quantity <= left && !(hasCoupon && uses >= usesMax))
    if (!placed.refused) orders.push(...placed.data.map(({ order }) => order))
    return placed
  }

  const orderAt = (number: number) => orders[number % orders.length] ?? { id: '', key: '' }
  const strange = (form: object, number: number) => {
    const bodies = [...badBodies(form, furnished)]
    const [, , write = () => ''] = bodies[number % bodies.length] ?? []
    return { body: String(write()) }
  }

  const acts: Record<Act, (number: number) => Promise<Outcome>> = {
    async append(number) {
      const items = Array.from({ length: 1 + (number % 6) }, (_, index) => `key ${index}`)
      appended += items.length
      return seller.call(appendItems, { path, body: { items } })
    },
    order: (number) => place(1 + (number % 6), { hasCoupon: false }),
    'order with the coupon': (number) => place(1 + (number % 3), { hasCoupon: true }),
    pay: (number) => pay(server, orderAt(number)),
    cancel: (number) => seller.call(cancelOrder, { path: { orderId: orderAt(number).id } }),
    'cancel by the buyer'(number) {
      const { id, key } = orderAt(number)
      return call(server, cancelOwnOrder, { path: { orderId: id } }, { orderKey: key })
    },
    'order something strange': (number) => seller.call(createOrder, strange(createOrder.body, number)),
    'check something strange out': (number) => seller.call(checkOut, strange(checkOut.body, number)),
    async 'append something strange'(number) {
      const tried = await seller.call(appendItems, { path, ...strange(appendItems.body, number) })
      if (!tried.refused) appended = (await stockOf(seller)).items
      return tried
    },
  }

  async function check(): Promise<void> {
    const { items, left, taken, counted, uses, redeemed } = await stockOf(seller)
    assert.equal(items, appended, 'items that were appended')
    assert.equal(left + taken, appended, 'items that are left or taken')
    assert.equal(counted, left, 'the counter of the items that are left')
    assert.equal(uses, redeemed, 'uses of the coupon')
    assert.isAtMost(uses, usesMax)
  }

  return { acts, check }
}

async function stockOf({ storeId }: Seller) {
  const { rows } = await sql<Record<'items' | 'left' | 'taken' | 'counted' | 'uses' | 'redeemed', string>>`
    select
      (select count(*) from items where store_id = ${storeId}) as items,
      (select count(*) from items where store_id = ${storeId} and order_id is null) as left,
      (
        select coalesce(sum(line.quantity), 0) from order_lines line join orders on orders.id = line.order_id
        where line.store_id = ${storeId} and line.takes_items and orders.is_stock_held
      ) as taken,
      (select coalesce(sum(available), 0) from product_counts where store_id = ${storeId}) as counted,
      (select uses from coupons where store_id = ${storeId}) as uses,
      (select count(*) from coupon_uses where store_id = ${storeId}) as redeemed
  `.execute(server.platform.db)
  const figure = (name: keyof (typeof rows)[number]) => Number(rows[0]?.[name])
  return {
    ...{ items: figure('items'), left: figure('left'), taken: figure('taken'), counted: figure('counted') },
    ...{ uses: figure('uses'), redeemed: figure('redeemed') },
  }
}
