import assert from 'node:assert/strict'
import { listStoreActs } from '@keystall/contract/endpoints/audit-log'
import { appendItems } from '@keystall/contract/endpoints/items'
import * as contract from '@keystall/contract/endpoints/products'
import { paymentMethodIds } from '@keystall/contract/payment-methods'
import { getStore, getStoreSettings, updateStore } from '@keystall/contract/endpoints/stores'
import { scopeNames } from '@keystall/contract/scopes'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { statementsOf } from '#test/statements'

const server = useServer({
  hasJobs: false,
  env: { IMAGE_HOSTS: 'pictures.example.com', WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' },
})

const plain = { name: 'Game key', cost: 9.99, visibility: 0 }

async function aProduct(seller: Seller, given: Record<string, unknown> = {}) {
  return (await seller.call(contract.createProduct, { body: { ...plain, ...given } })).data
}

async function refusal(seller: Seller, given: Record<string, unknown>) {
  const { refused } = await seller.call(contract.createProduct, { body: { ...plain, ...given } })
  return refused?.fields
}

async function revisionOf(seller: Seller): Promise<number> {
  const store = await server.platform.db
    .selectFrom('stores')
    .select('revision')
    .where('id', '=', seller.storeId)
    .executeTakeFirstOrThrow()
  return store.revision
}

describe('POST /stores/{storeId}/products', () => {
  test('the three required fields make a product, and everything else has its default', async () => {
    const seller = await aSeller(server)
    const { id, dateCreated, ...rest } = await aProduct(seller)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(Math.abs(Date.parse(dateCreated) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      name: 'Game key',
      description: null,
      fallbackToItems: false,
      type: 0,
      subscriptionPeriod: null,
      cost: 9.99,
      amountSold: 0,
      files: [],
      tags: [],
      webhookUrl: null,
      visibility: 0,
      isPinned: false,
      isDynamic: false,
      ignoreOutOfStock: false,
      shouldBlockVirtualPrivateNetworks: false,
      isBestSeller: false,
      imageNames: [],
      customValueKeys: [],
      deliveryMessage: null,
      minimumQuantity: 1,
      maximumQuantity: -1,
      order: 0,
      likes: 0,
      blacklistedPaymentGateways: [],
      additionalFees: {},
      metadata: null,
    })
  })

  test('every field of the form comes back', async () => {
    const seller = await aSeller(server)
    const form = {
      name: 'Ключ 🔑',
      cost: 0,
      visibility: 1,
      ignoreOutOfStock: true,
      isDynamic: true,
      tags: ['steam', 'Key'],
      webhookUrl: 'http://127.0.0.2:9000/hook',
      description: '# Text\n![a](https://pictures.example.com/a.png)',
      deliveryMessage: '**Thanks**',
      customValueKeys: ['Name', 'Account'],
      minimumQuantity: 2,
      maximumQuantity: 100_000,
      shouldBlockVirtualPrivateNetworks: true,
      blacklistedPaymentGateways: ['card', 'bitcoin'],
      isBestSeller: true,
    }
    const made = await aProduct(seller, form)
    for (const [field, value] of Object.entries(form)) assert.deepEqual(Object(made)[field], value, field)
  })

  test('each limit holds, on both sides', async () => {
    const seller = await aSeller(server)
    const taken = [
      { name: 'abc' },
      { name: '🔑'.repeat(64) },
      { cost: 0 },
      { cost: 1_000_000 },
      { cost: 0.01 },
      { visibility: 2 },
      { minimumQuantity: 100_000 },
      { maximumQuantity: 0 },
      { maximumQuantity: 100_000 },
      { tags: null, customValueKeys: null, blacklistedPaymentGateways: null, webhookUrl: null, description: null },
      { tags: [] },
      { blacklistedPaymentGateways: paymentMethodIds },
      { unknownField: 1, isVerified: true, amountSold: 7 },
    ]
    for (const given of taken) assert.equal(await refusal(seller, given), undefined, JSON.stringify(given))

    const refused: [string, unknown[]][] = [
      ['name', ['ab', 'a'.repeat(65), '   ', '', null, 5, 'a\u0000bc', 'a\u202ebc', 'a\u200bbc', 'a\nbc', '\ud800abc']],
      ['cost', [-0.01, 1_000_000.01, 9.999, '9', null, true, [9]]],
      ['visibility', [-1, 3, 4, 1.5, '0', null]],
      ['minimumQuantity', [0, -1, 100_001, 1.5, '1', null]],
      ['maximumQuantity', [-2, 100_001, 2 ** 31, 1.5, '1', null]],
      ['isDynamic', ['true', 1, null]],
      ['ignoreOutOfStock', ['true', null]],
      ['isBestSeller', [0, null]],
      ['shouldBlockVirtualPrivateNetworks', ['no', null]],
      ['tags', ['a', {}, Array.from({ length: 51 }, (_, index) => `t${index}`)]],
      ['tags.0', [[''], ['a'.repeat(65)], [5], [null], ['a\u2066b']]],
      ['customValueKeys', [['a', 'a'], Array.from({ length: 21 }, (_, index) => `k${index}`)]],
      ['customValueKeys.0', [[' '], [5], ['\u200fa']]],
      ['webhookUrl', ['ftp://example.com', 'javascript:alert(1)', 'example.com', '', 5, 'http://u:p@example.com/']],
      ['description', ['a'.repeat(100_001), 5]],
      ['deliveryMessage', ['a'.repeat(100_001), 5, '![x](https://evil.example/x.png)']],
    ]
    for (const [field, values] of refused) {
      const name = field.split('.')[0] ?? field
      for (const value of values) {
        const fields = await refusal(seller, { [name]: value })
        assert.deepEqual(Object.keys(fields ?? {}), [field], `${field} ${JSON.stringify(value)}`)
      }
    }
    assert.deepEqual(Object.keys((await refusal(seller, { blacklistedPaymentGateways: ['card', 'paypal'] })) ?? {}), [
      'blacklistedPaymentGateways.1',
    ])
  })

  test('all invalid fields are named at once', async () => {
    const seller = await aSeller(server)
    const { refused } = await seller.call(contract.createProduct, { body: {} })
    assert.deepEqual(refused, {
      status: 400,
      code: 'ValidationError',
      fields: { name: 'is required', cost: 'is required', visibility: 'is required' },
    })
    const fields = await refusal(seller, { isDynamic: true, cost: 1.001, name: 'a\u202eb c' })
    assert.deepEqual(Object.keys(fields ?? {}).sort(), ['cost', 'ignoreOutOfStock', 'name', 'webhookUrl'])
  })

  test('a dynamic product needs ignoreOutOfStock and a webhook', async () => {
    const seller = await aSeller(server)
    const webhookUrl = 'http://127.0.0.2/'
    assert.ok((await refusal(seller, { isDynamic: true, webhookUrl }))?.['ignoreOutOfStock'])
    assert.ok((await refusal(seller, { isDynamic: true, webhookUrl, ignoreOutOfStock: false }))?.['ignoreOutOfStock'])
    assert.ok((await refusal(seller, { isDynamic: true, ignoreOutOfStock: true }))?.['webhookUrl'])
    assert.equal(await refusal(seller, { isDynamic: true, ignoreOutOfStock: true, webhookUrl }), undefined)
  })

  test('a webhook inside our own network is refused in any spelling', async () => {
    const seller = await aSeller(server)
    const inner = ['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://[::1]/', 'http://localhost/']
    const more = [
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'https://example.com:22/',
    ]
    for (const webhookUrl of [...inner, ...more, server.platform.config.apiUrl.href]) {
      assert.ok((await refusal(seller, { webhookUrl }))?.['webhookUrl'], webhookUrl)
    }
  })

  test('images in the description come from approved hosts, in any markdown form', async () => {
    const seller = await aSeller(server)
    const own = `${server.platform.config.apiUrl.origin}/images/a.png`
    const good = [
      `![a](${own})`,
      '![a](https://pictures.example.com/b.png)',
      '[a link](https://evil.example/)',
      'a ! [b]',
    ]
    for (const description of good) assert.equal(await refusal(seller, { description }), undefined, description)
    const bad = [
      '![a](https://evil.example/a.png)',
      '![a][b]\n\n[b]: https://evil.example/a.png',
      '![a](https://pictures.example.com.evil.example/a.png)',
      '![a](https://pictures.example.com@evil.example/a.png)',
      '![a](//evil.example/a.png)',
      '![a](data:image/png;base64,AAAA)',
      '> - [![a](https://evil.example/a.png)](https://a.example)',
    ]
    for (const description of bad) assert.ok((await refusal(seller, { description }))?.['description'], description)
  })

  test("the store's currency says how many decimals a price has", async () => {
    const yen = await aSeller(server, { store: { preferredCurrency: 'JPY' } })
    const dinar = await aSeller(server, { store: { preferredCurrency: 'KWD' } })
    assert.ok((await refusal(yen, { cost: 1.5 }))?.['cost'])
    assert.equal((await aProduct(yen, { cost: 1500 })).cost, 1500)
    assert.equal((await aProduct(dinar, { cost: 1.234 })).cost, 1.234)
  })

  test('a maximum below the minimum is refused', async () => {
    const seller = await aSeller(server)
    assert.ok((await refusal(seller, { minimumQuantity: 5, maximumQuantity: 4 }))?.['maximumQuantity'])
    assert.equal(await refusal(seller, { minimumQuantity: 5, maximumQuantity: 5 }), undefined)
  })

  test('a tag or payment method that is named twice is kept once', async () => {
    const seller = await aSeller(server)
    const made = await aProduct(seller, { tags: ['a', 'b', 'a'], blacklistedPaymentGateways: ['card', 'card'] })
    assert.deepEqual(made.tags, ['a', 'b'])
    assert.deepEqual(made.blacklistedPaymentGateways, ['card'])
  })
})

describe('GET /stores/{storeId}/products', () => {
  test('references of all products, private ones too, with their store and without secrets', async () => {
    const seller = await aSeller(server)
    for (const visibility of [0, 1, 2]) await aProduct(seller, { visibility, webhookUrl: 'http://127.0.0.2/secret' })
    const { data, body } = await seller.call(contract.listProductReferences)
    assert.deepEqual(
      data.map(({ visibility }) => visibility),
      [0, 1, 2],
    )
    assert.ok(data.every(({ store, stock }) => store.id === seller.storeId && stock === 0))
    assert.ok(!JSON.stringify(body).includes('secret'))
  })
})

describe('GET /stores/{storeId}/products/{page}', () => {
  test('full products, newest first, every one once', async () => {
    const seller = await aSeller(server)
    const made: string[] = []
    for (let index = 0; index < 5; index += 1) made.unshift((await aProduct(seller)).id)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => seller.call(contract.listProducts, { path: { page }, query: { count: 2 } })),
    )
    assert.deepEqual(
      pages.flatMap(({ reply }) => reply.data.map(({ id }) => id)),
      made,
    )
    assert.ok(pages.every(({ reply }) => reply.pages === 3))
  })

  test('page and count have limits, and beyond the end is nothing', async () => {
    const seller = await aSeller(server)
    for (const page of [0, -1]) {
      assert.equal((await seller.call(contract.listProducts, { path: { page } })).status, 400)
    }
    for (const count of [0, 101, 'abc', 1.5]) {
      assert.equal((await seller.call(contract.listProducts, { path: { page: 1 }, query: { count } })).status, 400)
    }
    for (const page of [1, 2_147_483_648, '99999999999999999999']) {
      const { body } = await seller.call(contract.listProducts, { path: { page } })
      assert.deepEqual(body, { success: true, pages: 0, data: [] })
    }
  })
})

describe('GET /stores/{storeId}/products/{productId}', () => {
  test('the product, and 404 for every id that is not one of this store', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const product = await aProduct(seller)
    const foreign = await aProduct(other)
    assert.deepEqual((await seller.call(contract.getProduct, { path: { productId: product.id } })).data, product)
    for (const productId of [foreign.id, newId(), product.id.toUpperCase(), '0x10', 'abc']) {
      const { refused } = await seller.call(contract.getProduct, { path: { productId } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' }, productId)
    }
  })
})

describe('what is shown with the admission', () => {
  test('takes one round trip with a key, and is the same for a session', async () => {
    const seller = await aSeller(server)
    const made = await aProduct(seller, { tags: ['a', 'b'], additionalFees: { card: '2.5' }, metadata: '{"a":1}' })
    await seller.call(appendItems, { path: { productId: made.id }, body: { items: ['one', 'two'] } })
    const cookie = await signedIn(server, seller.user)
    const path = { storeId: seller.storeId }
    for (const [endpoint, more] of [
      [contract.getProduct, { productId: made.id }],
      [contract.listProducts, { page: 1 }],
    ] as const) {
      const given = { path: { ...path, ...more } }
      // The first call of a key notes its use.
      await seller.call(endpoint, given)
      const statements = await statementsOf(() => seller.call(endpoint, given))
      assert.equal(statements.length, 1)
      const [byKey, bySession] = [await seller.call(endpoint, given), await call(server, endpoint, given, { cookie })]
      assert.equal(byKey.status, 200)
      assert.deepEqual(bySession.data, byKey.data)
    }
  })

  test('another’s product is unknown, whoever asks', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const { id } = await aProduct(other)
    const paths = [
      { storeId: seller.storeId, productId: id },
      { storeId: other.storeId, productId: id },
    ]
    for (const path of paths) assert.equal((await seller.call(contract.getProduct, { path })).status, 404)
  })
})

describe('PUT /stores/{storeId}/products/{productId}', () => {
  test('200 without a body, and what the form leaves out goes back to its default', async () => {
    const seller = await aSeller(server)
    const { id } = await aProduct(seller, { description: 'x', tags: ['a'], minimumQuantity: 3, isBestSeller: true })
    const before = await revisionOf(seller)
    const answer = await seller.call(contract.updateProduct, {
      path: { productId: id },
      body: { name: 'Other name', cost: 1, visibility: 2 },
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.body, '')
    const { data } = await seller.call(contract.getProduct, { path: { productId: id } })
    const { name, cost, visibility, description, tags, minimumQuantity, isBestSeller } = data
    assert.deepEqual(
      { name, cost, visibility, description, tags, minimumQuantity, isBestSeller },
      {
        name: 'Other name',
        cost: 1,
        visibility: 2,
        description: null,
        tags: [],
        minimumQuantity: 1,
        isBestSeller: false,
      },
    )
    assert.equal(await revisionOf(seller), before + 1)
  })

  test('a wrong form changes nothing', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller)
    const { refused } = await seller.call(contract.updateProduct, {
      path: { productId: product.id },
      body: { ...plain, name: 'Other', isDynamic: true },
    })
    assert.equal(refused?.status, 400)
    assert.deepEqual((await seller.call(contract.getProduct, { path: { productId: product.id } })).data, product)
  })

  test('of many writers at once the result is one of them, whole', async () => {
    const seller = await aSeller(server)
    const { id } = await aProduct(seller)
    const forms = Array.from({ length: 20 }, (_, n) => ({ name: `Name ${n}`, cost: n, visibility: 0, tags: [`t${n}`] }))
    await Promise.all(forms.map((body) => seller.call(contract.updateProduct, { path: { productId: id }, body })))
    const { name, cost, tags } = (await seller.call(contract.getProduct, { path: { productId: id } })).data
    assert.deepEqual({ name, tags }, { name: `Name ${cost}`, tags: [`t${cost}`] })
  })
})

describe('PUT /stores/{storeId}/products/{productId}/fees', () => {
  test('a fee is set, replaced and removed', async () => {
    const seller = await aSeller(server)
    const path = { productId: (await aProduct(seller)).id }
    const set = (body: unknown) => seller.call(contract.setProductFee, { path, body })
    const fees = async () => (await seller.call(contract.getProduct, { path })).data.additionalFees

    assert.equal((await set({ paymentMethod: 'bitcoin', feePercentage: 2.5 })).data, null)
    await set({ paymentMethod: 'card', feePercentage: 100 })
    assert.deepEqual(await fees(), { bitcoin: '2.5', card: '100' })
    await set({ paymentMethod: 'bitcoin', feePercentage: 0 })
    assert.deepEqual(await fees(), { bitcoin: '0', card: '100' })
    await set({ paymentMethod: 'bitcoin', feePercentage: null })
    await set({ paymentMethod: 'card' })
    await set({ paymentMethod: 'usdc', feePercentage: null })
    assert.deepEqual(await fees(), {})
  })

  test('methods that are none and fees out of range are refused', async () => {
    const seller = await aSeller(server)
    const path = { productId: (await aProduct(seller)).id }
    const fieldsOf = async (body: unknown) =>
      Object.keys((await seller.call(contract.setProductFee, { path, body })).refused?.fields ?? {})
    for (const paymentMethod of ['', 'paypal', null, 5, undefined, '__proto__', 'constructor', 'BITCOIN']) {
      assert.deepEqual(await fieldsOf({ paymentMethod, feePercentage: 1 }), ['paymentMethod'], String(paymentMethod))
    }
    for (const feePercentage of [-0.01, 100.01, -50, '5', true, 1.23456]) {
      assert.deepEqual(
        await fieldsOf({ paymentMethod: 'card', feePercentage }),
        ['feePercentage'],
        String(feePercentage),
      )
    }
  })
})

describe('DELETE /stores/{storeId}/products/{productId}', () => {
  test('the product is gone from every list and address', async () => {
    const seller = await aSeller(server)
    const [kept, gone] = [await aProduct(seller), await aProduct(seller)]
    const path = { productId: gone.id }
    assert.equal((await seller.call(contract.deleteProduct, { path })).status, 200)
    assert.equal((await seller.call(contract.deleteProduct, { path })).status, 404)
    assert.equal((await seller.call(contract.getProduct, { path })).status, 404)
    assert.equal((await seller.call(contract.updateProduct, { path, body: plain })).status, 404)
    assert.equal((await call(server, contract.viewProduct, { path })).status, 404)
    const references = (await seller.call(contract.listProductReferences)).data
    assert.deepEqual(
      references.map(({ id }) => id),
      [kept.id],
    )
    assert.equal((await seller.call(contract.listProducts, { path: { page: 1 } })).reply.data.length, 1)
  })
})

describe('POST /stores/{storeId}/products/restore', () => {
  test('a deleted product is back as it was, with its items; one that is there stays', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller, { name: 'Back again', cost: 7 })
    const path = { productId: product.id }
    await seller.call(appendItems, { path, body: { items: ['A', 'B'] } })
    const before = (await seller.call(contract.getProduct, { path })).data
    await seller.call(contract.deleteProduct, { path })
    const restored = await seller.call(contract.restoreProduct, { body: path })
    assert.equal(restored.status, 200)
    assert.deepEqual(restored.data, before)
    const [act] = (await seller.call(listStoreActs, { path: { page: 1 } })).data
    assert.deepEqual([act?.act, act?.subjectId, act?.subjectName], ['restoreProduct', product.id, 'Back again'])
    assert.deepEqual((await call(server, contract.viewProduct, { path })).status, 200)
    assert.deepEqual((await seller.call(contract.restoreProduct, { body: path })).data, before)
  })

  test('one that was featured is featured again, unless another is by now', async () => {
    const seller = await aSeller(server)
    const [first, second] = [await aProduct(seller), await aProduct(seller)]
    const featured = async () => (await seller.call(getStore)).data.featuredProductId
    const feature = async (featuredProductId: string) => {
      const { data } = await seller.call(getStoreSettings)
      await seller.call(updateStore, { body: { ...data, featuredProductId } })
    }
    const [one, two] = [{ productId: first.id }, { productId: second.id }]
    await feature(first.id)
    await seller.call(contract.deleteProduct, { path: one })
    assert.equal(await featured(), null)
    await seller.call(contract.restoreProduct, { body: one })
    assert.equal(await featured(), first.id)

    await seller.call(contract.deleteProduct, { path: one })
    await feature(second.id)
    await seller.call(contract.restoreProduct, { body: one })
    await seller.call(contract.restoreProduct, { body: two })
    assert.equal(await featured(), second.id)
    await seller.call(contract.deleteProduct, { path: two })
    await seller.call(contract.restoreProduct, { body: one })
    assert.equal(await featured(), null, 'what stands is not brought back a second time')
  })

  test('a key that may not view products is shown none, here and by copying', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller, { webhookUrl: 'https://example.com/secret', deliveryMessage: 'secret' })
    const blind = await aKey(server, seller.user, { scopes: scopeNames.filter((scope) => scope !== 'ViewProducts') })
    const path = { storeId: seller.storeId, productId: product.id }
    const copied = await call(server, contract.duplicateProduct, { path }, { apiKey: blind })
    await seller.call(contract.deleteProduct, { path })
    const restored = await call(server, contract.restoreProduct, { path, body: path }, { apiKey: blind })
    assert.deepEqual([copied.data, restored.data], [null, null])
    const names = (await seller.call(contract.listProducts, { path: { page: 1 } })).data.map(({ name }) => name)
    assert.deepEqual(names, [`${product.name} (copy)`, product.name])
  })

  test("what never was, or is another's, is not found", async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const theirs = await aProduct(other)
    await other.call(contract.deleteProduct, { path: { productId: theirs.id } })
    for (const productId of [theirs.id, '01890000-0000-7000-8000-000000000000']) {
      assert.equal((await seller.call(contract.restoreProduct, { body: { productId } })).status, 404)
    }
    assert.equal((await seller.call(contract.restoreProduct, { body: { productId: 'x' } })).status, 400)
    assert.equal((await other.call(contract.getProduct, { path: { productId: theirs.id } })).status, 404)
  })
})

describe('POST /stores/{storeId}/products/{productId}/duplicate', () => {
  test('the copy is private, has a name of its own, and takes over the rest', async () => {
    const seller = await aSeller(server)
    const original = await aProduct(seller, { name: 'n'.repeat(64), tags: ['a'], description: 'x', minimumQuantity: 4 })
    const path = { productId: original.id }
    await seller.call(contract.setProductFee, { path, body: { paymentMethod: 'card', feePercentage: 3 } })
    const copy = (await seller.call(contract.duplicateProduct, { path })).data
    assert.ok(copy)
    assert.notEqual(copy.id, original.id)
    assert.equal(copy.name, `${'n'.repeat(57)} (copy)`)
    assert.equal(copy.visibility, 2)
    const { tags, description, minimumQuantity, additionalFees } = copy
    assert.deepEqual(
      { tags, description, minimumQuantity, additionalFees },
      { tags: ['a'], description: 'x', minimumQuantity: 4, additionalFees: { card: '3' } },
    )
  })
})

describe('GET /stores/{storeId}/products/{page}/search/{query}', () => {
  test('finds by words of the name or by a tag, in any case, in this store alone', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const key = await aProduct(seller, { name: 'Steam Game Key', tags: ['Gift Card'] })
    const book = await aProduct(seller, { name: 'A 100% book_', tags: ['steam'] })
    await aProduct(other, { name: 'Steam Game Key' })
    const search = async (query: string) => {
      const { reply } = await seller.call(contract.searchProducts, { path: { page: 1, query } })
      return reply.data.map(({ id }) => id)
    }
    assert.deepEqual(await search('key STEAM'), [key.id])
    assert.deepEqual(await search('gift card'), [key.id])
    assert.deepEqual(await search('steam'), [book.id, key.id])
    assert.deepEqual(await search('100%'), [book.id])
    for (const none of ['%', '_x', "a'--", 'gift', 'nothing'])
      assert.deepEqual(await search(none), none === '%' ? [book.id] : [])
    const page = await seller.call(contract.searchProducts, { path: { page: 2, query: 'steam' }, query: { count: 1 } })
    assert.deepEqual([page.reply.pages, page.reply.data.map(({ id }) => id)], [2, [key.id]])
  })
})
