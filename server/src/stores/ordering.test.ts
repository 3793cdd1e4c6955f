import assert from 'node:assert/strict'
import { createProductGroup } from '@keystall/contract/endpoints/product-groups'
import { createProduct } from '@keystall/contract/endpoints/products'
import { arrangeStore, getStore, type OrderingForm, viewStore } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

async function aProduct(seller: Seller, name: string) {
  return (await seller.call(createProduct, { body: { name, cost: 1, visibility: 0 } })).data.id
}

async function aGroup(seller: Seller, name: string) {
  return (await seller.call(createProductGroup, { body: { name } })).data.id
}

describe('PATCH /stores/{storeId}/ordering', () => {
  test('products and groups are sorted ascending by order, everywhere', async () => {
    const seller = await aSeller(server)
    const [first, second, third] = [
      await aProduct(seller, 'First'),
      await aProduct(seller, 'Second'),
      await aProduct(seller, 'Third'),
    ]
    const [one, two] = [await aGroup(seller, 'One'), await aGroup(seller, 'Two')]
    const moved = await seller.call(arrangeStore, {
      body: [
        { id: first, isGroup: false, order: 30 },
        { id: second, isGroup: false, order: -5 },
        { id: third, isGroup: false, order: 2_147_483_647 },
        { id: one, isGroup: true, order: 2 },
        { id: two, isGroup: true, order: 1 },
      ],
    })
    assert.deepEqual(moved.body, { success: true, message: 'The order is saved', data: null })

    const { data } = await seller.call(getStore)
    assert.deepEqual(
      data.products.map(({ id, order }) => [id, order]),
      [
        [second, -5],
        [first, 30],
        [third, 2_147_483_647],
      ],
    )
    assert.deepEqual(
      data.groupedProducts.map(({ id }) => id),
      [two, one],
    )
    const view = await call(server, viewStore, { path: { storeUrl: data.url } })
    assert.deepEqual(
      view.data.products.map(({ id }) => id),
      [second, first, third],
    )
    assert.deepEqual(
      view.data.groupedProducts.map(({ id }) => id),
      [two, one],
    )
  })

  test('one unknown or foreign id, and nothing moves', async () => {
    const [seller, other] = await Promise.all([aSeller(server), aSeller(server)])
    const mine = await aProduct(seller, 'Mine')
    const group = await aGroup(seller, 'Group')
    const theirs = await aProduct(other, 'Theirs')
    const wrongs = [
      { id: newId(), isGroup: false },
      { id: newId(), isGroup: true },
      { id: theirs, isGroup: false },
      { id: group, isGroup: false },
    ]
    for (const wrong of wrongs) {
      const { refused } = await seller.call(arrangeStore, {
        body: [
          { id: mine, isGroup: false, order: 9 },
          { ...wrong, order: 9 },
        ],
      })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
    const { data } = await seller.call(getStore)
    assert.equal(data.products[0]?.order, 0)
    assert.equal((await other.call(getStore)).data.products[0]?.order, 0)
  })

  test('an empty list moves nothing', async () => {
    const seller = await aSeller(server)
    assert.equal((await seller.call(arrangeStore, { body: [] })).status, 200)
  })

  test.each([
    ['body', {}],
    ['0.id', [{ id: 'x', isGroup: false, order: 1 }]],
    ['0.isGroup', [{ id: newId(), order: 1 }]],
    ['0.order', [{ id: newId(), isGroup: false, order: 1.5 }]],
    ['0.order', [{ id: newId(), isGroup: false, order: 2_147_483_648 }]],
  ])('a wrong %s is named', async (field, body) => {
    const seller = await aSeller(server)
    const { refused } = await seller.call(arrangeStore, { body })
    assert.equal(refused?.status, 400)
    assert.ok(Object.keys(refused?.fields ?? {}).includes(field))
  })

  test('an id that is named twice has no one place', async () => {
    const seller = await aSeller(server)
    const id = await aProduct(seller, 'Twice')
    const { refused } = await seller.call(arrangeStore, {
      body: [
        { id, isGroup: false, order: 1 },
        { id, isGroup: false, order: 2 },
      ],
    })
    assert.deepEqual(Object.keys(refused?.fields ?? {}), ['1.id'])
  })

  test('many who arrange a store at once all succeed, and the order of one of them stands, whole', async () => {
    const seller = await aSeller(server)
    const places: OrderingForm = []
    for (let number = 0; number < 12; number += 1) {
      places.push({ id: await aProduct(seller, `Product ${number}`), isGroup: false, order: 0 })
      places.push({ id: await aGroup(seller, `Group ${number}`), isGroup: true, order: 0 })
    }
    // Each names them in a sequence of its own, so that no two would take the rows in the same turn.
    const wishes = Array.from({ length: 30 }, (_, wish) =>
      (wish % 2 === 0 ? places : places.toReversed()).map((place, index, all) => ({
        ...(all[(index + wish) % all.length] ?? place),
        order: wish * 100 + index,
      })),
    )
    const moved = await Promise.all(wishes.map((body) => seller.call(arrangeStore, { body })))
    assert.deepEqual([...new Set(moved.map(({ status }) => status))], [200])
    const { products, groupedProducts } = (await seller.call(getStore)).data
    const shown = new Map([...products, ...groupedProducts].map(({ id, order }) => [id, order]))
    assert.equal(shown.size, places.length)
    const kept = wishes.filter((wish) => wish.every(({ id, order }) => shown.get(id) === order))
    assert.equal(kept.length, 1, 'places of two orders were mixed')
  })
})
