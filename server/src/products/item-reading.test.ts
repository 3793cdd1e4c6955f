import assert from 'node:assert/strict'
import { createProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { countListed } from './item-sealing.ts'
import { appendItems, removeItems } from './items.ts'
import { findProduct } from './product.ts'
import { returnItems, takeItems } from './stock.ts'
import type { ProductRow } from './tables.ts'

// How many rows of the table the database reads, for a store that its planner knows well and one that it never saw.

const server = useServer({ hasJobs: false })
const itemsMany = 20_000
const rowsFew = 40

interface Shelf {
  name: string
  product: ProductRow
}

const shelves: Shelf[] = []

async function aShelf(name: string): Promise<Shelf> {
  const seller = await aSeller(server)
  const { id } = (await seller.call(createProduct, { body: { name: 'Game key', cost: 1, visibility: 0 } })).data
  const store = await server.platform.db
    .selectFrom('stores')
    .selectAll()
    .where('id', '=', seller.storeId)
    .executeTakeFirstOrThrow()
  const product = await findProduct(server.platform.db, store, id)
  assert.ok(product)
  const items = Array.from({ length: itemsMany }, (_, index) => `item ${index}`)
  await transact(server.platform.db, (tx) => appendItems(tx, server.platform, product, items))
  return { name, product }
}

/** Prepared statements keep their plans: each work is done often enough to be planned for all. */
async function readBy(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let most = 0
  for (let round = 0; round < 8; round += 1) {
    await transact(server.platform.db, async (tx) => {
      const before = await rowsRead(tx)
      await work(tx)
      most = Math.max(most, (await rowsRead(tx)) - before)
    })
  }
  return most
}

/** By this connection, since it last reported. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows
    from pg_stat_xact_user_tables where relname = 'items'
  `.execute(tx)
  return rows[0]?.rows ?? 0
}

beforeAll(async () => {
  const settings = sql`alter table items set (autovacuum_enabled = false)`
  await settings.execute(server.platform.db)
  shelves.push(await aShelf('known'))
  await sql`analyze items`.execute(server.platform.db)
  shelves.push(await aShelf('unknown'))
})

afterAll(async () => {
  await sql`alter table items reset (autovacuum_enabled)`.execute(server.platform.db)
})

describe.each(['known', 'unknown'])('in a store that is %s to the planner', (name) => {
  const shelf = () => shelves.find((each) => each.name === name) ?? assert.fail()

  test('an order reads the items it takes', async () => {
    const { product } = shelf()
    const lines = [{ productId: product.id, quantity: 3 }]
    const rows = await readBy((tx) => takeItems(tx, { storeId: product.storeId, orderId: newId(), lines }))
    assert.ok(rows <= rowsFew, `${rows} rows`)
  })

  test('an order that gives its items back reads those', async () => {
    const { product } = shelf()
    const taking = { storeId: product.storeId, orderId: newId(), lines: [{ productId: product.id, quantity: 3 }] }
    const rows = await readBy(async (tx) => {
      await takeItems(tx, taking)
      await returnItems(tx, taking)
    })
    assert.ok(rows <= 2 * rowsFew, `${rows} rows`)
  })

  test('appending reads the items of the same value', async () => {
    const { product } = shelf()
    const rows = await readBy((tx) => appendItems(tx, server.platform, product, ['item 7000', 'item 7001', 'new']))
    assert.ok(rows <= rowsFew, `${rows} rows`)
  })

  test('removing reads the items of the same value', async () => {
    const { product } = shelf()
    const listed = await countListed(server.platform, product, ['item 7000', 'item 7001', 'unheard of'])
    const rows = await readBy((tx) => removeItems(tx, product, listed))
    assert.ok(rows <= rowsFew, `${rows} rows`)
  })
})
