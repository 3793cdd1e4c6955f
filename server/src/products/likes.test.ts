import assert from 'node:assert/strict'
import { pinProduct, updateProduct, viewProduct } from '@keystall/contract/endpoints/products'
import { updateStore } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { newToken } from '#platform/secrets/tokens'
import { call, useServer } from '#test/harness'
import { aProduct, aShop } from '#test/shop'
import { aVisitor } from '#test/visitor'
import { forgetLikeNetworks, likeProduct } from './like.ts'

const server = useServer({ hasJobs: false })

async function likesOf(productId: string): Promise<number> {
  return (await call(server, viewProduct, { path: { productId } })).data.likes
}

async function aLikeable() {
  const seller = await aShop(server)
  const product = await aProduct(seller, { items: 1 })
  return { seller, product, at: `/product/${product.id}/like` }
}

describe('liking a product', () => {
  test('a visitor likes it once, and may let go', async () => {
    const { seller, product, at } = await aLikeable()
    const visitor = await aVisitor(server, seller)
    const looked = await visitor.get(`/product/${product.id}`)
    assert.match(looked.text, /aria-pressed="false"/)
    assert.equal(visitor.cookies.size, 0, 'whoever only looks carries no cookie')

    await visitor.post(at, { act: 'like' })
    const liked = await visitor.post(at, { act: 'like' })
    assert.equal(liked.location, `/product/${product.id}`)
    assert.equal(await likesOf(product.id), 1)
    const page = await visitor.get(`/product/${product.id}`)
    assert.match(page.text, /aria-pressed="true"/)
    assert.match(page.text, /1 like</)

    await (await aVisitor(server, seller)).post(at, { act: 'like' })
    assert.equal(await likesOf(product.id), 2)
    await visitor.post(at, { act: 'unlike' })
    await visitor.post(at, { act: 'unlike' })
    assert.equal(await likesOf(product.id), 1)
  })

  test('twenty at once of one visitor count once', async () => {
    const { seller, product, at } = await aLikeable()
    const visitor = await aVisitor(server, seller)
    await visitor.post(at, { act: 'like' })
    await visitor.post(at, { act: 'unlike' })
    await Promise.all(Array.from({ length: 20 }, () => visitor.post(at, { act: 'like' })))
    assert.equal(await likesOf(product.id), 1)
  })

  test('twenty of a network a day, whatever cookies it throws away', async () => {
    const { seller, product, at } = await aLikeable()
    const statuses: number[] = []
    for (let n = 0; n < 22; n += 1) {
      const visitor = await aVisitor(server, seller)
      statuses.push((await visitor.post(at, { act: 'like' })).status)
    }
    assert.deepEqual([statuses.filter((status) => status === 303).length, statuses.at(-1)], [20, 429])
    assert.equal(await likesOf(product.id), 20)

    const { platform } = server
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000)
    const liked = { storeId: seller.storeId, productId: product.id }
    const liker = { token: newToken(128), ip: '127.0.0.1' }
    await transact(platform.db, (tx) => likeProduct(tx, platform.secrets, liked, liker, tomorrow))
    const row = await platform.db
      .selectFrom('products')
      .where('storeId', '=', seller.storeId)
      .where('id', '=', product.id)
      .select('likes')
      .executeTakeFirstOrThrow()
    assert.equal(row.likes, 21)
    await forgetLikeNetworks(platform.db, new Date(tomorrow.getTime() + 24 * 3600 * 1000))
  })

  test('a private product, another store’s and a foreign page’s form are refused', async () => {
    const { seller, product, at } = await aLikeable()
    const other = await aLikeable()
    const visitor = await aVisitor(server, seller)
    assert.equal((await visitor.post(other.at, { act: 'like' })).status, 404)
    assert.equal((await visitor.post(at, { act: 'like' }, { origin: 'https://evil.example' })).status, 403)
    await seller.call(updateProduct, {
      path: { productId: product.id },
      body: { name: product.name, cost: 10, visibility: 2 },
    })
    assert.equal((await visitor.post(at, { act: 'like' })).status, 404)
  })

  test('a store that hides its statistics shows no number', async () => {
    const { seller, product, at } = await aLikeable()
    const visitor = await aVisitor(server, seller)
    await visitor.post(at, { act: 'like' })
    await seller.call(updateStore, { body: { name: 'Quiet', url: `quiet${Date.now()}`, hideStatistics: true } })
    assert.equal(await likesOf(product.id), 0)
    const page = await (await aVisitor(server, seller)).get(`/product/${product.id}`)
    assert.doesNotMatch(page.text, /1 like</)
  })
})

describe('PUT /stores/{storeId}/products/{productId}/pin', () => {
  test('a pinned product stands first, and stays pinned when its form is saved', async () => {
    const seller = await aShop(server)
    const names = ['First', 'Second', 'Third']
    for (const name of names) await aProduct(seller, { name, items: 1 })
    const last = await aProduct(seller, { name: 'Favourite', items: 1 })
    const visitor = await aVisitor(server, seller)
    const order = async () => {
      const { text } = await visitor.get('/')
      return [...text.matchAll(/<h3><a href="[^"]*">([^<]*)</g)].map(([, name]) => name)
    }
    assert.equal((await order()).at(0) === 'Favourite', false)
    const pinned = await seller.call(pinProduct, { path: { productId: last.id }, body: { isPinned: true } })
    assert.equal(pinned.data.isPinned, true)
    await seller.call(updateProduct, {
      path: { productId: last.id },
      body: { name: 'Favourite', cost: 1, visibility: 0 },
    })
    assert.equal((await order())[0], 'Favourite')
    const wrong = await seller.call(pinProduct, { path: { productId: last.id }, body: {} })
    assert.deepEqual(Object.keys(wrong.refused?.fields ?? {}), ['isPinned'])
  })
})
