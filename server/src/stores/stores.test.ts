import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import {
  createProduct,
  deleteProduct,
  duplicateProduct,
  restoreProduct,
  updateProduct,
} from '@keystall/contract/endpoints/products'
import * as contract from '@keystall/contract/endpoints/stores'
import { scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import type { Db } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { validWebhookSecrets } from '#platform/secrets/webhook-secret'
import { aKey, aSeller, aUser } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

const withoutId = (body: unknown) => JSON.stringify({ ...Object(body), requestId: '' })

/** Until a transaction of this database stands before a lock. */
async function untilSomebodyWaits(db: Db): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1
  `
  while ((await waiting.execute(db)).rows.length === 0) await setTimeout(5)
}

let key: Promise<string> | undefined
/** Of a seller who opens stores only to be refused. */
const aCommonKey = () => (key ??= aUser(server).then((user) => aKey(server, user)))

let labels = 0
const aLabel = () => `label${(labels += 1)}`

const wholeForm = () => ({
  name: 'Ünïcode 👩‍👩‍👧 shop',
  url: aLabel(),
  accentColor: '#abc',
  description: '**Hello**',
  themeName: 'calm',
  leadingText: 'Read this first',
  title: 'A title',
  termsOfService: 'Terms',
  privacyPolicy: 'Privacy',
  copyright: '© me',
  hideViewCount: true,
  hideStatistics: true,
  isForcingDarkMode: true,
  areItemsMailed: false,
  reviewRequestDays: 7,
  affiliatePercentage: 12.5,
  preferredCurrency: 'EUR',
  announcement: 'New!',
  sellerMessage: 'Hi',
  backgroundColor: '#abcd',
  cardBackgroundColor: '#aabbcc',
  navigationColor: '#aabbccdd',
  buttonColor: '#FFF',
  socialMediaAccounts: {
    shortVideo: 'a',
    videoSharing: 'b',
    microblog: 'c',
    socialNetwork: 'd',
    chat: 'e',
    messenger: 'f',
    photoSharing: 'g',
  },
  featuredProductId: null,
  themeProperties: { 'font-size': '12px' },
})

describe('POST /stores', () => {
  test('a name and a label are enough; the rest has defaults', async () => {
    const apiKey = await aKey(server, await aUser(server))
    const url = aLabel()
    const made = await call(server, contract.createStore, { body: { name: 'Shop', url } }, { apiKey })

    const { id, dateCreated, theme, socialMediaAccounts, webhookSecret, ...rest } = made.data
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(Math.abs(Date.now() - Date.parse(dateCreated)) < 60_000)
    assert.deepEqual(theme.properties, {})
    assert.equal(socialMediaAccounts.chat, null)
    assert.match(webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(rest, {
      name: 'Shop',
      description: null,
      url,
      customDomain: null,
      termsOfService: null,
      copyright: null,
      privacyPolicy: null,
      preferredCurrency: 'USD',
      isVerified: false,
      gross: 0,
      products: [],
      groupedProducts: [],
      visits: [],
      featuredProductId: null,
      lastCustomDomainUpdate: null,
      coupons: [],
      productsSoldOverride: null,
      reviewsOverride: null,
      resolvedTicketsOverride: null,
      viewsOverride: null,
    })
  })

  test('every field of the form is kept', async () => {
    const form = wholeForm()
    const seller = await aSeller(server, { store: form })
    const settings = await seller.call(contract.getStoreSettings)
    const { id: _id, dateCreated: _date, ...accounts } = Object(settings.data.socialMediaAccounts)
    assert.deepEqual({ ...settings.data, socialMediaAccounts: accounts }, { ...form, profileImage: null })

    const { data } = await seller.call(contract.getStore)
    assert.equal(data.name, form.name)
    assert.deepEqual(data.theme.properties, form.themeProperties)
    assert.equal(data.socialMediaAccounts.photoSharing, 'g')
    assert.equal(data.preferredCurrency, 'EUR')
  })

  test('what no form may say is ignored', async () => {
    const stranger = newId()
    const seller = await aSeller(server, {
      store: {
        id: stranger,
        ownerId: stranger,
        isVerified: true,
        gross: 99,
        webhookSecret: 'whsec_x',
        productsSoldOverride: 9,
        viewsOverride: 9,
        visits: 7,
        dateCreated: '2001-01-01T00:00:00Z',
      },
    })
    const { data } = await seller.call(contract.getStore)
    assert.notEqual(data.id, stranger)
    assert.equal(data.isVerified, false)
    assert.equal(data.gross, 0)
    assert.notEqual(data.webhookSecret, 'whsec_x')
    assert.equal(data.productsSoldOverride, null)
    assert.equal(data.viewsOverride, null)
    assert.ok(!data.dateCreated.startsWith('2001'))
  })

  test('a label is taken in any case, and the refusal says so', async () => {
    const apiKey = await aKey(server, await aUser(server))
    const url = aLabel()
    await call(server, contract.createStore, { body: { name: 'One', url } }, { apiKey })
    const again = await call(
      server,
      contract.createStore,
      { body: { name: 'Two', url: url.toUpperCase() } },
      { apiKey },
    )
    assert.deepEqual(again.refused, { status: 409, code: 'ObjectConflict' })
    assert.match(String(Object(again.body).message), /is taken/)
  })

  test('ten at once for one label: one gets it', async () => {
    const apiKey = await aKey(server, await aUser(server))
    const url = aLabel()
    const tries = Array.from({ length: 10 }, () =>
      call(server, contract.createStore, { body: { name: 'Race', url } }, { apiKey }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, ...Array.from({ length: 9 }, () => 409)],
    )
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'evil\u202egnp.exe' }],
    ['name', { name: 'zero\u200bwidth' }],
    ['name', { name: undefined }],
    ['title', { title: 'a\u2066b' }],
    ['url', { url: '' }],
    ['url', { url: 'two words' }],
    ['url', { url: 'with-dash' }],
    ['url', { url: 'ünicode' }],
    ['url', { url: 'x'.repeat(64) }],
    ['url', { url: 'Api' }],
    ['url', { url: 'dash' }],
    ['url', { url: 'WWW' }],
    ['url', { url: 'checkout' }],
    ['url', { url: undefined }],
    ['accentColor', { accentColor: 'red' }],
    ['accentColor', { accentColor: '#12' }],
    ['buttonColor', { buttonColor: '#12345' }],
    ['navigationColor', { navigationColor: '#ggg' }],
    ['backgroundColor', { backgroundColor: '#fff;}body{background:url(//evil)' }],
    ['cardBackgroundColor', { cardBackgroundColor: 7 }],
    ['preferredCurrency', { preferredCurrency: 'usd' }],
    ['preferredCurrency', { preferredCurrency: 'ZZZ' }],
    ['hideStatistics', { hideStatistics: 'yes' }],
    ['featuredProductId', { featuredProductId: 'nonsense' }],
    ['themeProperties.a', { themeProperties: { a: 'red;}body{background:url(//evil)' } }],
    ['themeProperties.a', { themeProperties: { a: 'URL(x)' } }],
    ['themeProperties.a', { themeProperties: { a: 'x'.repeat(257) } }],
    ['themeProperties.a', { themeProperties: { a: 1 } }],
    ['themeProperties', { themeProperties: { 'a b': 'x' } }],
    ['themeProperties', { themeProperties: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v'])) }],
    ['socialMediaAccounts.chat', { socialMediaAccounts: { chat: 'x'.repeat(257) } }],
    ['description', { description: '![x](https://evil.example/x.png)' }],
    ['announcement', { announcement: '![x](//evil.example/x.png)' }],
    ['termsOfService', { termsOfService: 'x'.repeat(100_001) }],
    ['name', { name: 'a\u0000b' }],
  ])('a wrong %s is named', async (field, wrong) => {
    const apiKey = await aCommonKey()
    const refused = await call(
      server,
      contract.createStore,
      { body: { name: 'Shop', url: aLabel(), ...wrong } },
      { apiKey },
    )
    assert.equal(refused.refused?.status, 400)
    assert.deepEqual(Object.keys(refused.refused?.fields ?? {}), [field])
  })

  test('every wrong field is named, not only the first', async () => {
    const apiKey = await aCommonKey()
    const body = {
      name: 'a\u202eb',
      url: 'admin',
      preferredCurrency: 'ZZZ',
      description: '![x](https://evil.example/)',
    }
    const { refused } = await call(server, contract.createStore, { body }, { apiKey })
    assert.deepEqual(Object.keys(refused?.fields ?? {}).toSorted(), ['description', 'name', 'preferredCurrency', 'url'])
  })

  test('a product of elsewhere cannot be featured', async () => {
    const other = await aSeller(server)
    const product = await other.call(createProduct, { body: { name: 'Theirs', cost: 1, visibility: 0 } })
    const apiKey = await aCommonKey()
    const body = { name: 'Shop', url: aLabel(), featuredProductId: product.data.id }
    const { refused } = await call(server, contract.createStore, { body }, { apiKey })
    assert.deepEqual(refused, { status: 404, code: 'NotFound' })
  })
})

describe('GET /stores/{storeId}', () => {
  test('what is embedded obeys the scope of its own endpoint', async () => {
    const seller = await aSeller(server)
    await seller.call(createProduct, { body: { name: 'A product', cost: 1, visibility: 2 } })
    const apiKey = await aKey(server, seller.user, { scopes: ['ViewStores'] })
    const bare = await call(server, contract.getStore, { path: { storeId: seller.storeId } }, { apiKey })
    assert.deepEqual(bare.data.products, [])
    assert.deepEqual(bare.data.groupedProducts, [])
    assert.deepEqual(bare.data.coupons, [])
    assert.equal(bare.data.webhookSecret, '')

    const whole = await seller.call(contract.getStore)
    assert.equal(whole.data.products.length, 1)
    assert.equal(whole.data.products[0]?.visibility, 2)
    assert.match(whole.data.webhookSecret, /^whsec_/)
  })

  test("another seller's store reads as an unknown one, byte for byte", async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const foreign = await mine.call(contract.getStore, { path: { storeId: theirs.storeId } })
    const unknown = await mine.call(contract.getStore, { path: { storeId: newId() } })
    assert.equal(foreign.status, 404)
    assert.equal(withoutId(foreign.body), withoutId(unknown.body))
  })

  test('a key limited to one store finds no other', async () => {
    const seller = await aSeller(server)
    const second = await call(
      server,
      contract.createStore,
      { body: { name: 'Second', url: aLabel() } },
      { apiKey: seller.apiKey },
    )
    const apiKey = await aKey(server, seller.user, { scopes: scopeNames, storeIds: [second.data.id] })
    const path = { storeId: seller.storeId }
    assert.equal((await call(server, contract.getStore, { path }, { apiKey })).status, 404)
  })
})

describe('PUT /stores/{storeId}', () => {
  test('the form replaces: what it leaves out goes back to its default', async () => {
    const seller = await aSeller(server, { store: wholeForm() })
    const url = aLabel()
    await seller.call(contract.updateStore, { body: { name: 'Plain', url } })
    const { data } = await seller.call(contract.getStoreSettings)
    const { socialMediaAccounts, ...rest } = data
    assert.deepEqual(rest, {
      name: 'Plain',
      url,
      accentColor: null,
      description: null,
      themeName: null,
      leadingText: null,
      title: null,
      termsOfService: null,
      privacyPolicy: null,
      copyright: null,
      hideViewCount: false,
      hideStatistics: false,
      isForcingDarkMode: false,
      areItemsMailed: true,
      reviewRequestDays: null,
      affiliatePercentage: 0,
      preferredCurrency: 'USD',
      announcement: null,
      sellerMessage: null,
      backgroundColor: null,
      cardBackgroundColor: null,
      navigationColor: null,
      buttonColor: null,
      featuredProductId: null,
      themeProperties: {},
      profileImage: null,
    })
    assert.equal(socialMediaAccounts.chat, null)
  })

  test('a store may keep its own label, and change its case', async () => {
    const url = aLabel()
    const seller = await aSeller(server, { store: { url } })
    const same = await seller.call(contract.updateStore, { body: { name: 'Same', url } })
    const upper = await seller.call(contract.updateStore, { body: { name: 'Same', url: url.toUpperCase() } })
    assert.equal(same.data.url, url)
    assert.equal(upper.data.url, url.toUpperCase())
  })

  test("another store's label is refused and nothing changes", async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const before = (await mine.call(contract.getStoreSettings)).data
    const { url } = (await theirs.call(contract.getStoreSettings)).data
    const { refused } = await mine.call(contract.updateStore, { body: { name: 'Thief', url } })
    assert.deepEqual(refused, { status: 409, code: 'ObjectConflict' })
    assert.deepEqual((await mine.call(contract.getStoreSettings)).data, before)
  })

  test('only a product of its own can be featured', async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const form = { name: 'Shop', url: aLabel() }
    const own = await mine.call(createProduct, { body: { name: 'Mine', cost: 1, visibility: 0 } })
    const foreign = await theirs.call(createProduct, { body: { name: 'Theirs', cost: 1, visibility: 0 } })
    const featured = await mine.call(contract.updateStore, { body: { ...form, featuredProductId: own.data.id } })
    assert.equal(featured.data.featuredProductId, own.data.id)
    for (const featuredProductId of [foreign.data.id, newId()]) {
      const { refused } = await mine.call(contract.updateStore, { body: { ...form, featuredProductId } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
    assert.equal((await mine.call(contract.getStore)).data.featuredProductId, own.data.id)
  })

  test('prices keep their number in a currency with other decimals', async () => {
    const seller = await aSeller(server)
    const form = { name: 'Shop', url: aLabel() }
    const product = { name: 'Priced', visibility: 0 }
    await seller.call(createProduct, { body: { ...product, cost: 1_000_000 } })
    const costs = async () => (await seller.call(contract.getStore)).data.products.map(({ cost }) => cost)

    for (const preferredCurrency of ['JPY', 'KWD', 'USD']) {
      const changed = await seller.call(contract.updateStore, { body: { ...form, preferredCurrency } })
      assert.equal(changed.data.preferredCurrency, preferredCurrency)
      assert.deepEqual(await costs(), [1_000_000])
    }
    const { id: productId } = (await seller.call(createProduct, { body: { ...product, cost: 0.4 } })).data
    const { refused } = await seller.call(contract.updateStore, { body: { ...form, preferredCurrency: 'JPY' } })
    assert.deepEqual(Object.keys(refused?.fields ?? {}), ['preferredCurrency'])
    assert.deepEqual(await costs(), [1_000_000, 0.4])

    // Deleted it stands in no way, and brought back it is not free.
    await seller.call(deleteProduct, { path: { productId } })
    await seller.call(contract.updateStore, { body: { ...form, preferredCurrency: 'JPY' } })
    assert.equal((await seller.call(restoreProduct, { body: { productId } })).data?.cost, 1)
  })

  test('a price that is saved while the currency changes is refused, not multiplied', async () => {
    const seller = await aSeller(server)
    const { db } = server.platform
    const product = { name: 'Priced', visibility: 0, cost: 5 }
    const { id: productId } = (await seller.call(createProduct, { body: product })).data
    const save = [
      () => seller.call(createProduct, { body: product }),
      () => seller.call(updateProduct, { path: { productId }, body: { ...product, cost: 7 } }),
      () => seller.call(duplicateProduct, { path: { productId } }),
    ]
    for (const [index, request] of save.entries()) {
      const currency = index % 2 === 0 ? 'JPY' : 'USD'
      const change = await transact(db, async (tx) => {
        await tx.selectFrom('stores').select('id').where('id', '=', seller.storeId).forUpdate().execute()
        const saved = request()
        await untilSomebodyWaits(db)
        await tx.updateTable('stores').set({ preferredCurrency: currency }).where('id', '=', seller.storeId).execute()
        return { saved }
      })
      const { refused } = await change.saved
      assert.equal(refused?.code, 'ObjectConflict')
    }
    const { rows } = await sql<{ costMinor: number }>`
      select cost_minor from products where store_id = ${seller.storeId}
    `.execute(db)
    assert.deepEqual(rows, [{ costMinor: 500 }])
  })

  test('what was read can be saved again, after the featured product was deleted too', async () => {
    const seller = await aSeller(server)
    const { id } = (await seller.call(createProduct, { body: { name: 'Featured', cost: 1, visibility: 0 } })).data
    const settings = (await seller.call(contract.getStoreSettings)).data
    await seller.call(contract.updateStore, { body: { ...settings, featuredProductId: id } })
    assert.equal((await seller.call(contract.getStore)).data.featuredProductId, id)
    await seller.call(deleteProduct, { path: { productId: id } })
    assert.equal((await seller.call(contract.getStore)).data.featuredProductId, null)
    const again = await seller.call(contract.updateStore, { body: (await seller.call(contract.getStoreSettings)).data })
    assert.equal(again.status, 200)
  })
})

describe('POST /stores/{storeId}/webhook-secret', () => {
  test('a new secret is made, and the former one is good for a day', async () => {
    const seller = await aSeller(server)
    const before = (await seller.call(contract.getStore)).data.webhookSecret
    const { webhookSecret } = (await seller.call(contract.rotateWebhookSecret)).data
    assert.notEqual(webhookSecret, before)
    assert.equal((await seller.call(contract.getStore)).data.webhookSecret, webhookSecret)

    const store = await server.platform.db
      .selectFrom('stores')
      .selectAll()
      .where('id', '=', seller.storeId)
      .executeTakeFirstOrThrow()
    const { secrets } = server.platform
    const hour = 3_600_000
    assert.deepEqual(validWebhookSecrets(secrets, store, new Date(Date.now() + 23 * hour)), [webhookSecret, before])
    assert.deepEqual(validWebhookSecrets(secrets, store, new Date(Date.now() + 25 * hour)), [webhookSecret])
    assert.ok(!store.webhookSecret.toString('latin1').includes('whsec_'))
  })
})
