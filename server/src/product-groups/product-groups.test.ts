import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/product-groups'
import { createProduct, deleteProduct } from '@keystall/contract/endpoints/products'
import { getStore } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

const withoutId = (body: unknown) => JSON.stringify({ ...Object(body), requestId: '' })

async function aProduct(seller: Seller, given: Record<string, unknown> = {}) {
  const body = { name: 'A product', cost: 1, visibility: 0, ...given }
  return (await seller.call(createProduct, { body })).data.id
}

async function aGroup(seller: Seller, name = 'A group') {
  return (await seller.call(contract.createProductGroup, { body: { name } })).data.id
}

const idsOf = (things: { id: string }[]) => things.map(({ id }) => id)

describe('GET /stores/{storeId}/product-groups/{page}', () => {
  test('newest first, by pages', async () => {
    const seller = await aSeller(server)
    const made = [await aGroup(seller, 'one'), await aGroup(seller, 'two'), await aGroup(seller, 'three')]
    const product = await aProduct(seller)
    const path = { groupId: made[0] ?? '', productId: product }
    await seller.call(contract.addProductToGroup, { path })

    const first = await seller.call(contract.listProductGroups, { path: { page: 1 }, query: { count: 2 } })
    const second = await seller.call(contract.listProductGroups, { path: { page: 2 }, query: { count: 2 } })
    const beyond = await seller.call(contract.listProductGroups, { path: { page: 3 }, query: { count: 2 } })
    assert.equal(first.reply.pages, 2)
    assert.deepEqual(idsOf(first.reply.data), [made[2], made[1]])
    assert.deepEqual(idsOf(second.reply.data), [made[0]])
    assert.deepEqual(idsOf(second.reply.data[0]?.products ?? []), [product])
    assert.deepEqual(beyond.body, { success: true, pages: 2, data: [] })
  })

  test('no groups are no pages', async () => {
    const seller = await aSeller(server)
    const none = await seller.call(contract.listProductGroups, { path: { page: 1 } })
    assert.deepEqual(none.body, { success: true, pages: 0, data: [] })
  })
})

describe('POST /stores/{storeId}/product-groups', () => {
  test('a group begins empty', async () => {
    const seller = await aSeller(server)
    const { data } = await seller.call(contract.createProductGroup, { body: { name: 'Games 🎮', products: ['x'] } })
    assert.deepEqual(Object.keys(data).toSorted(), ['dateCreated', 'id', 'name', 'order', 'products'])
    assert.equal(data.name, 'Games 🎮')
    assert.equal(data.order, 0)
    assert.deepEqual(data.products, [])
  })

  test.each([[''], ['  '], ['x'.repeat(65)], ['a\u202eb'], [7], [null], [undefined]])('%j is no name', async (name) => {
    const seller = await aSeller(server)
    const { refused } = await seller.call(contract.createProductGroup, { body: { name } })
    assert.equal(refused?.status, 400)
    assert.deepEqual(Object.keys(refused?.fields ?? {}), ['name'])
  })
})

describe('PATCH /stores/{storeId}/product-groups/{groupId}', () => {
  test('changes the name and never the membership', async () => {
    const seller = await aSeller(server)
    const groupId = await aGroup(seller)
    const productId = await aProduct(seller)
    await seller.call(contract.addProductToGroup, { path: { groupId, productId } })
    const { data } = await seller.call(contract.updateProductGroup, {
      path: { groupId },
      body: { name: 'Renamed', products: [] },
    })
    assert.equal(data.name, 'Renamed')
    assert.deepEqual(idsOf(data.products), [productId])
  })

  test("another store's group is not found", async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const groupId = await aGroup(theirs, 'Theirs')
    const foreign = await mine.call(contract.updateProductGroup, { path: { groupId }, body: { name: 'Mine' } })
    const unknown = await mine.call(contract.updateProductGroup, { path: { groupId: newId() }, body: { name: 'Mine' } })
    assert.equal(foreign.status, 404)
    assert.equal(withoutId(foreign.body), withoutId(unknown.body))
    assert.equal((await theirs.call(getStore)).data.groupedProducts[0]?.name, 'Theirs')
  })
})

describe('PATCH and DELETE /stores/{storeId}/product-groups/{groupId}/{productId}', () => {
  test('adding twice and removing what is absent change nothing', async () => {
    const seller = await aSeller(server)
    const groupId = await aGroup(seller)
    const productId = await aProduct(seller)
    const path = { groupId, productId }
    await seller.call(contract.addProductToGroup, { path })
    const twice = await seller.call(contract.addProductToGroup, { path })
    assert.deepEqual(idsOf(twice.data.products), [productId])
    assert.equal(twice.data.products[0]?.store.id, seller.storeId)

    const removed = await seller.call(contract.removeProductFromGroup, { path })
    const again = await seller.call(contract.removeProductFromGroup, { path })
    assert.deepEqual(removed.data.products, [])
    assert.deepEqual(again.data, removed.data)
  })

  test('a product may be in several groups', async () => {
    const seller = await aSeller(server)
    const [one, two] = [await aGroup(seller), await aGroup(seller)]
    const productId = await aProduct(seller)
    for (const groupId of [one, two]) await seller.call(contract.addProductToGroup, { path: { groupId, productId } })
    const { groupedProducts } = (await seller.call(getStore)).data
    assert.deepEqual(
      groupedProducts.map(({ products }) => idsOf(products)),
      [[productId], [productId]],
    )
  })

  test('the same product added ten times at once is there once', async () => {
    const seller = await aSeller(server)
    const path = { groupId: await aGroup(seller), productId: await aProduct(seller) }
    await Promise.all(Array.from({ length: 10 }, () => seller.call(contract.addProductToGroup, { path })))
    const { data } = await seller.call(contract.addProductToGroup, { path })
    assert.equal(data.products.length, 1)
  })

  test('unknown and foreign groups and products are not found', async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const own = { groupId: await aGroup(mine), productId: await aProduct(mine) }
    const foreign = { groupId: await aGroup(theirs), productId: await aProduct(theirs) }
    const paths = [
      { ...own, productId: foreign.productId },
      { ...own, productId: newId() },
      { ...own, groupId: foreign.groupId },
      { ...own, groupId: newId() },
      { ...own, groupId: 'nonsense' },
    ]
    for (const path of paths) {
      assert.equal((await mine.call(contract.addProductToGroup, { path })).status, 404)
      assert.equal((await mine.call(contract.removeProductFromGroup, { path })).status, 404)
    }
  })

  test('a deleted product is in no group', async () => {
    const seller = await aSeller(server)
    const path = { groupId: await aGroup(seller), productId: await aProduct(seller) }
    await seller.call(contract.addProductToGroup, { path })
    await seller.call(deleteProduct, { path: { productId: path.productId } })
    const view = await call(server, contract.viewProductGroup, { path: { groupId: path.groupId } })
    assert.deepEqual(view.data.products, [])
  })
})

describe('GET /product-groups/{groupId}/view', () => {
  test('private products and products on hold are left out', async () => {
    const seller = await aSeller(server)
    const groupId = await aGroup(seller)
    const shown = [await aProduct(seller, { visibility: 0 }), await aProduct(seller, { visibility: 1 })]
    const hidden = [await aProduct(seller, { visibility: 2 }), await aProduct(seller, { visibility: 2 })]
    await server.platform.db
      .updateTable('products')
      .set({ visibility: 3 })
      .where('storeId', '=', seller.storeId)
      .where('id', '=', hidden[1] ?? '')
      .execute()
    for (const productId of [...shown, ...hidden]) {
      await seller.call(contract.addProductToGroup, { path: { groupId, productId } })
    }
    const view = await call(server, contract.viewProductGroup, { path: { groupId } })
    assert.deepEqual(idsOf(view.data.products), shown)
  })

  test('is for anybody, with a bad key too, and may be kept', async () => {
    const seller = await aSeller(server)
    const path = { groupId: await aGroup(seller) }
    const view = await call(server, contract.viewProductGroup, { path }, { apiKey: 'not.a.key' })
    assert.equal(view.status, 200)
    const headers = { 'if-none-match': String(view.headers['etag']) }
    const known = await call(server, contract.viewProductGroup, { path, headers })
    assert.equal(known.status, 304)
    assert.equal(known.body, '')
  })

  test('unknown ids, and ids of products, are not found', async () => {
    const seller = await aSeller(server)
    for (const groupId of [newId(), await aProduct(seller), 'nonsense']) {
      assert.equal((await call(server, contract.viewProductGroup, { path: { groupId } })).status, 404)
    }
  })
})

describe('DELETE /stores/{storeId}/product-groups/{groupId}', () => {
  test('its products stay, the group is gone', async () => {
    const seller = await aSeller(server)
    const path = { groupId: await aGroup(seller), productId: await aProduct(seller) }
    await seller.call(contract.addProductToGroup, { path })
    const gone = await seller.call(contract.deleteProductGroup, { path })
    assert.equal(gone.data, null)
    const store = await seller.call(getStore)
    assert.deepEqual(store.data.groupedProducts, [])
    assert.deepEqual(idsOf(store.data.products), [path.productId])
    assert.equal((await seller.call(contract.deleteProductGroup, { path })).status, 404)
    assert.equal((await call(server, contract.viewProductGroup, { path })).status, 404)
  })
})
