import assert from 'node:assert/strict'
import { addProductToGroup, createProductGroup, viewProductGroup } from '@keystall/contract/endpoints/product-groups'
import { appendItems } from '@keystall/contract/endpoints/items'
import { createProduct, deleteProduct, setProductFee, viewProduct } from '@keystall/contract/endpoints/products'
import { getStore, updateStore, viewStore, viewStoreById } from '@keystall/contract/endpoints/stores'
import { beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

const publicStore = [
  'copyright',
  'customDomain',
  'dateCreated',
  'description',
  'featuredProduct',
  'id',
  'isVerified',
  'name',
  'preferredCurrency',
  'privacyPolicy',
  'productsSold',
  'profileImage',
  'rating',
  'resolvedTickets',
  'reviews',
  'socialMediaAccounts',
  'termsOfService',
  'theme',
  'url',
  'visits',
]
const card = [
  'amountSold',
  'cost',
  'customValueKeys',
  'dateCreated',
  'description',
  'id',
  'ignoreOutOfStock',
  'imageNames',
  'isDynamic',
  'isPinned',
  'likes',
  'maximumQuantity',
  'minimumQuantity',
  'name',
  'order',
  'rating',
  'stock',
  'tags',
  'visibility',
]
const socialMediaAccounts = [
  'chat',
  'dateCreated',
  'messenger',
  'microblog',
  'photoSharing',
  'shortVideo',
  'socialNetwork',
  'videoSharing',
]
const productPage = [
  'additionalFees',
  'blacklistedPaymentGateways',
  'category',
  'deliveryMessage',
  'imageLinks',
  'isBestSeller',
  'reviews',
  'shouldBlockVirtualPrivateNetworks',
]

const keysOf = (value: unknown) => Object.keys(Object(value)).toSorted()
const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id)

function assertPublicStore(store: unknown, more: string[] = []): void {
  assert.deepEqual(keysOf(store), [...publicStore, ...more].toSorted())
  const { theme, featuredProduct, socialMediaAccounts: accounts } = Object(store)
  assert.deepEqual(keysOf(theme), ['properties'])
  assert.deepEqual(keysOf(accounts), socialMediaAccounts)
  assert.deepEqual(keysOf(featuredProduct), card)
}

function assertReference(product: unknown, more: string[] = []): void {
  assert.deepEqual(keysOf(product), [...card, 'store', ...more].toSorted())
  assertPublicStore(Object(product).store)
}

/** A store with a secret in every place that the public must not see. */
const sentinel = 'SENTINEL'
let seller: Seller
let url: string
const ids = { open: '', unlisted: '', private: '', held: '', group: '' }

beforeAll(async () => {
  const label = `public${newId().slice(-8)}`
  const form = {
    name: 'Open store',
    url: label,
    description: 'Welcome',
    termsOfService: 'The terms',
    privacyPolicy: 'The policy',
    copyright: '© us',
    preferredCurrency: 'EUR',
    socialMediaAccounts: { chat: 'our chat' },
    themeProperties: { font: 'serif' },
  }
  seller = await aSeller(server, { store: form })
  url = label
  const product = { name: 'A product', cost: 9.99, visibility: 0, description: 'What it is', tags: ['one'] }
  const make = async (given: Record<string, unknown>) =>
    (await seller.call(createProduct, { body: { ...product, ...given } })).data.id
  ids.open = await make({ deliveryMessage: 'Thanks', webhookUrl: `https://example.com/${sentinel}` })
  ids.unlisted = await make({ visibility: 1 })
  ids.private = await make({ visibility: 2, name: `${sentinel} private` })
  ids.held = await make({ visibility: 2, name: `${sentinel} held` })
  ids.group = (await seller.call(createProductGroup, { body: { name: 'Group' } })).data.id
  for (const productId of [ids.open, ids.unlisted, ids.private, ids.held]) {
    await seller.call(addProductToGroup, { path: { groupId: ids.group, productId } })
  }
  await seller.call(appendItems, { path: { productId: ids.open }, body: { items: [`${sentinel} 1`, `${sentinel} 2`] } })
  await seller.call(setProductFee, {
    path: { productId: ids.open },
    body: { paymentMethod: 'bitcoin', feePercentage: 2.5 },
  })
  await seller.call(updateStore, { body: { ...form, featuredProductId: ids.open } })
  const { db } = server.platform
  await db
    .updateTable('products')
    .set({ visibility: 3 })
    .where('storeId', '=', seller.storeId)
    .where('id', '=', ids.held)
    .execute()
  await db
    .updateTable('products')
    .set({ metadata: sentinel, ratingSum: 9, ratingCount: 2, likes: 3 })
    .where('storeId', '=', seller.storeId)
    .where('id', '=', ids.open)
    .execute()
  await db
    .updateTable('productCounts')
    .set({ sold: 5 })
    .where('storeId', '=', seller.storeId)
    .where('productId', '=', ids.open)
    .where('slot', '=', 3)
    .execute()
  await db
    .insertInto('storeVisits')
    .values([
      { storeId: seller.storeId, day: '2026-01-01', id: newId(), visits: 40 },
      { storeId: seller.storeId, day: '2026-01-02', id: newId(), visits: 2 },
    ])
    .execute()
})

describe('GET /stores/{storeUrl}/view', () => {
  test('has these fields and no others', async () => {
    const { data } = await call(server, viewStore, { path: { storeUrl: url } })
    assertPublicStore(data, ['groupedProducts', 'owner', 'products'])
    assert.deepEqual(keysOf(data.owner), ['allowMarketplace', 'dateCreated', 'id', 'username'])
    assert.equal(data.products.length, 1)
    assertReference(data.products[0])
    assert.deepEqual(keysOf(data.groupedProducts[0]), ['dateCreated', 'id', 'name', 'order', 'products'])
    assertReference(data.groupedProducts[0]?.products[0])
  })

  test('nothing private is in any public answer', async () => {
    const answers = await Promise.all([
      call(server, viewStore, { path: { storeUrl: url } }),
      call(server, viewStoreById, { path: { storeId: seller.storeId } }),
      call(server, viewProduct, { path: { productId: ids.open } }),
      call(server, viewProduct, { path: { productId: ids.unlisted } }),
      call(server, viewProductGroup, { path: { groupId: ids.group } }),
    ])
    for (const { status, body } of answers) {
      const text = JSON.stringify(body)
      assert.equal(status, 200)
      assert.ok(!text.includes(sentinel))
      assert.ok(!text.includes('whsec_'))
      assert.ok(!text.includes(seller.user.emailAddress))
      assert.ok(text.length < 200_000)
    }
  })

  test('shows what is public, with its figures', async () => {
    const { data } = await call(server, viewStore, { path: { storeUrl: url } })
    assert.equal(data.owner.username, seller.user.userName)
    assert.equal(data.termsOfService, 'The terms')
    assert.equal(data.socialMediaAccounts.chat, 'our chat')
    assert.deepEqual(data.theme, { properties: { font: 'serif' } })
    assert.deepEqual(
      [data.visits, data.reviews, data.rating, data.productsSold, data.resolvedTickets],
      [42, 2, 4.5, 5, 0],
    )
    assert.deepEqual(idsOf(data.products), [ids.open])
    assert.deepEqual(idsOf(data.groupedProducts[0]?.products ?? []), [ids.open])
    assert.equal(data.featuredProduct?.id, ids.open)
    const [product] = data.products
    assert.deepEqual([product?.cost, product?.stock, product?.amountSold, product?.rating], [9.99, 2, 5, 4.5])
  })

  test('labels are found in any case, other texts are not', async () => {
    const upper = await call(server, viewStore, { path: { storeUrl: url.toUpperCase() } })
    assert.equal(upper.data.id, seller.storeId)
    for (const storeUrl of [seller.storeId, 'no-such-store', `${url}.example.com`, '%', 'a'.repeat(300)]) {
      assert.equal((await call(server, viewStore, { path: { storeUrl } })).status, 404)
    }
  })

  test('a custom domain finds the store once it is active', async () => {
    const other = await aSeller(server)
    const { db } = server.platform
    await db
      .insertInto('customDomains')
      .values({ storeId: other.storeId, domain: 'shop.example.org', proof: 'x' })
      .execute()
    const path = { storeUrl: 'Shop.Example.org' }
    assert.equal((await call(server, viewStore, { path })).status, 404)
    const byId = await call(server, viewStoreById, { path: { storeId: other.storeId } })
    assert.equal(byId.data.customDomain, null)
    assert.equal((await other.call(getStore)).data.customDomain, 'shop.example.org')

    await db.updateTable('customDomains').set({ status: 'active' }).where('storeId', '=', other.storeId).execute()
    const found = await call(server, viewStore, { path })
    assert.equal(found.data.id, other.storeId)
    assert.equal(found.data.customDomain, 'shop.example.org')
  })

  test('may be kept by a cache, which asks whether it still holds', async () => {
    const path = { storeUrl: url }
    const first = await call(server, viewStore, { path })
    assert.equal(first.headers['cache-control'], 'public, max-age=0, must-revalidate')
    const etag = String(first.headers['etag'])
    const known = await call(server, viewStore, { path, headers: { 'if-none-match': `"other", W/${etag}` } })
    assert.equal(known.status, 304)
    assert.equal(known.headers['etag'], etag)
    const unknown = await call(server, viewStore, { path, headers: { 'if-none-match': '"other"' } })
    assert.equal(unknown.status, 200)
    const missing = await call(server, viewStore, { path: { storeUrl: 'nothere' } })
    assert.equal(missing.headers['etag'], undefined)
  })

  test('ignores a key, good or bad', async () => {
    const path = { storeUrl: url }
    const plain = await call(server, viewStore, { path })
    for (const apiKey of [seller.apiKey, 'bad.key.here']) {
      const answer = await call(server, viewStore, { path }, { apiKey })
      assert.deepEqual(answer.body, plain.body)
    }
  })

  test('a closed store and a disabled seller are not found', async () => {
    const other = await aSeller(server)
    const product = await other.call(createProduct, { body: { name: 'Gone', cost: 1, visibility: 0 } })
    const { db } = server.platform
    const statuses = async () => {
      const answers = await Promise.all([
        call(server, viewStoreById, { path: { storeId: other.storeId } }),
        call(server, viewProduct, { path: { productId: product.data.id } }),
      ])
      return answers.map(({ status }) => status)
    }
    assert.deepEqual(await statuses(), [200, 200])
    await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', other.user.id).execute()
    assert.deepEqual(await statuses(), [404, 404])
    await db.updateTable('users').set({ disabledAt: null }).where('id', '=', other.user.id).execute()
    await db.updateTable('stores').set({ closedAt: new Date() }).where('id', '=', other.storeId).execute()
    assert.deepEqual(await statuses(), [404, 404])
  })
})

describe('GET /stores/{storeId}/view_id', () => {
  test('is the same view', async () => {
    const byUrl = await call(server, viewStore, { path: { storeUrl: url } })
    const byId = await call(server, viewStoreById, { path: { storeId: seller.storeId } })
    assert.deepEqual(byId.data, byUrl.data)
    for (const storeId of [newId(), 'nonsense', seller.storeId.toUpperCase()]) {
      assert.equal((await call(server, viewStoreById, { path: { storeId } })).status, 404)
    }
  })
})

describe('GET /products/{productId}/view', () => {
  test('has these fields and no others', async () => {
    const { data } = await call(server, viewProduct, { path: { productId: ids.open } })
    assertReference(data, productPage)
    assert.deepEqual(data.additionalFees, { bitcoin: '2.5' })
    assert.equal(data.deliveryMessage, 'Thanks')
    assert.equal(data.store.termsOfService, 'The terms')
  })

  test('unlisted products are found by their address, private and held ones never', async () => {
    assert.equal((await call(server, viewProduct, { path: { productId: ids.unlisted } })).data.visibility, 1)
    for (const productId of [ids.private, ids.held, newId(), ids.group]) {
      const { refused } = await call(server, viewProduct, { path: { productId } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
  })

  test('a deleted product is not found, and not featured', async () => {
    const other = await aSeller(server)
    const { id } = (await other.call(createProduct, { body: { name: 'Gone', cost: 1, visibility: 0 } })).data
    const { name, url: label } = (await other.call(getStore)).data
    await other.call(updateStore, { body: { name, url: label, featuredProductId: id } })
    await other.call(deleteProduct, { path: { productId: id } })
    assert.equal((await call(server, viewProduct, { path: { productId: id } })).status, 404)
    assert.equal((await call(server, viewStore, { path: { storeUrl: label } })).data.featuredProduct, null)
  })
})

describe('statistics', () => {
  test('that the seller hides are 0 in every public form, nested too, and true for the seller', async () => {
    const { db } = server.platform
    const hide = async (columns: { hideStatistics?: boolean; hideViewCount?: boolean }) => {
      await db.updateTable('stores').set(columns).where('id', '=', seller.storeId).execute()
    }

    await hide({ hideViewCount: true })
    const counted = await call(server, viewStore, { path: { storeUrl: url } })
    assert.deepEqual([counted.data.visits, counted.data.reviews], [0, 2])

    await hide({ hideViewCount: false, hideStatistics: true })
    const { data } = await call(server, viewStore, { path: { storeUrl: url } })
    const product = await call(server, viewProduct, { path: { productId: ids.open } })
    const group = await call(server, viewProductGroup, { path: { groupId: ids.group } })
    const stores = [data, data.products[0]?.store, product.data.store, group.data.products[0]?.store]
    for (const store of stores) {
      assert.deepEqual(
        [store?.visits, store?.reviews, store?.rating, store?.resolvedTickets, store?.productsSold],
        [0, 0, 0, 0, 0],
      )
    }
    const cards = [
      ...stores.map((store) => store?.featuredProduct),
      data.products[0],
      product.data,
      group.data.products[0],
    ]
    for (const shown of cards) assert.deepEqual([shown?.amountSold, shown?.rating, shown?.likes], [0, 0, 0])

    const own = await seller.call(getStore)
    assert.equal(own.data.products.find(({ id }) => id === ids.open)?.amountSold, 5)
    await hide({ hideStatistics: false })
  })

  test('overrides replace the number shown', async () => {
    const overrides = { productsSoldOverride: 100, reviewsOverride: 0, resolvedTicketsOverride: 7, viewsOverride: 1000 }
    const none = {
      productsSoldOverride: null,
      reviewsOverride: null,
      resolvedTicketsOverride: null,
      viewsOverride: null,
    }
    const { db } = server.platform
    await db.updateTable('stores').set(overrides).where('id', '=', seller.storeId).execute()
    const { data } = await call(server, viewStore, { path: { storeUrl: url } })
    assert.deepEqual([data.productsSold, data.reviews, data.resolvedTickets, data.visits], [100, 0, 7, 1000])
    await db.updateTable('stores').set(none).where('id', '=', seller.storeId).execute()
  })
})
