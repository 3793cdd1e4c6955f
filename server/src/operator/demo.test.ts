import assert from 'node:assert/strict'
import { viewProduct } from '@keystall/contract/endpoints/products'
import { viewStore } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { isPassword } from '#account/password'
import { call, useServer } from '#test/harness'
import { createDemo, dressDemo } from './demo.ts'
import { demoProducts } from './demo-goods.ts'

const server = useServer({ hasJobs: false })

describe('the demo', () => {
  test('is made once, with something of every kind to buy', async () => {
    const { platform } = server
    const demo = await createDemo(platform)
    assert.deepEqual(await createDemo(platform), demo)
    assert.deepEqual(demo, {
      storeUrl: 'http://demo.localhost:8080',
      dashUrl: 'http://dash.localhost:8080',
      email: 'demo@keystall.localhost',
      password: 'keystall-demo',
    })
    const user = await platform.db
      .selectFrom('users')
      .selectAll()
      .where('emailAddress', '=', demo.email)
      .executeTakeFirstOrThrow()
    assert.ok(await isPassword(user.passwordHash, demo.password))
    assert.ok(user.emailConfirmedAt)

    const stores = await platform.db.selectFrom('stores').selectAll().execute()
    assert.equal(stores.length, 1)
    await dressDemo(platform.db, platform, stores[0]?.id ?? '')
    await dressDemo(platform.db, platform, stores[0]?.id ?? '')

    const { data } = await call(server, viewStore, { path: { storeUrl: 'demo' } })
    assert.equal(data.featuredProduct?.name, demoProducts[0]?.name)
    assert.deepEqual(
      data.products.map(({ name }) => name),
      demoProducts.filter(({ visibility }) => visibility !== 1).map(({ name }) => name),
    )
    assert.deepEqual(
      data.products.map(({ stock }) => stock),
      [120, 35, 4, -1, -1, 50, 0],
    )
    assert.deepEqual(
      data.groupedProducts.map(({ name, products }) => [name, products.length]),
      [
        ['Games', 3],
        ['Books and assets', 2],
        ['Software', 2],
      ],
    )
    for (const { id, imageNames } of data.products) {
      assert.equal(imageNames.length, 1)
      const { imageLinks } = (await call(server, viewProduct, { path: { productId: id } })).data
      assert.deepEqual(imageLinks, [`http://localhost:8080/images/${imageNames[0]}`])
    }
  }, 60_000)
})
