import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listItems, removeItems } from '@keystall/contract/endpoints/items'
import { getOrder } from '@keystall/contract/endpoints/orders'
import { listProducts, replaceProductFile } from '@keystall/contract/endpoints/products'
import { getStore } from '@keystall/contract/endpoints/stores'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { issueKey } from '#keys/key'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { secretKeyOf } from '#platform/secrets/secret-key'
import { openWebhookSecret } from '#platform/secrets/webhook-secret'
import type { Running } from '#start'
import { aSeller, aUser } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { multipart, upload } from '#test/multipart'
import { aReceiver, eventually, stopReceivers } from '#test/receiver'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { type Entry, readArchive, writeArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { exportStore } from './export.ts'
import { importGoods } from './import-goods.ts'
import { type ImportOptions, importStore } from './import-store.ts'
import { listen } from './listen.ts'
import { restore } from './restore.ts'
import { trigger } from './trigger.ts'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
let folder: string
stopReceivers()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystall-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const running = ({ platform, database }: TestServer): Running => ({
  platform,
  database,
  databaseUrl: database.url,
  migrated: [],
  stop: async () => {},
})

async function aFile(text: string | Buffer): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.csv`)
  await writeFile(file, text)
  return file
}

describe('import of products from CSV', () => {
  const own = 'name,cost,visibility,tags,items\r\nGame key,"9,50",unlisted,"games, pc","A-1\nA-2\nA-1"\r\nTool,3,,,\r\n'
  const serials = 'Title,Description,Price,Currency,Serials,Unlisted\nGame key,Old,9.5,USD,"A-2,A-3",no\n'
  const rows = '\uFEFFProduct name,Product price,Key\nPass,$4.00,P-1\nPass,$4.00,P-2\n'

  test('a dry run tells what would happen and changes nothing; the import does it, once', async () => {
    const seller = await aSeller(server)
    const { storeId } = seller
    const file = await aFile(own)
    const told = await importGoods(running(server), { storeId, file, isDry: true })
    assert.include(told, { form: 'Keystall', isDryRun: true, created: 2, found: 0, items: 2, known: 1 })
    assert.deepEqual((await seller.call(listProducts, { path: { page: 1 } })).reply.data, [])

    assert.include(await importGoods(running(server), { storeId, file, isDry: false }), { created: 2, items: 2 })
    assert.include(await importGoods(running(server), { storeId, file, isDry: false }), {
      found: 2,
      items: 0,
      known: 3,
    })
    const more = await importGoods(running(server), { storeId, file: await aFile(serials), isDry: false })
    assert.include(more, { form: 'title and serials', created: 0, found: 1, items: 1, known: 1 })
    const third = await importGoods(running(server), { storeId, file: await aFile(rows), isDry: false })
    assert.include(third, { form: 'one row a key', created: 1, items: 2 })
    const excel = await aFile('\uFEFFname;cost;items\r\nSchlüssel;9,50;"=1+1\r\n""A""; B"\r\n')
    const fourth = await importGoods(running(server), { storeId, file: excel, isDry: false })
    assert.include(fourth, { form: 'Keystall', created: 1, items: 2 })

    const { data: products } = (await seller.call(listProducts, { path: { page: 1 } })).reply
    const game = products.find(({ name }) => name === 'Game key')
    assert.include(game, { cost: 9.5, visibility: 1 })
    assert.deepEqual(game?.tags, ['games', 'pc'])
    const items = await seller.call(listItems, { path: { productId: game?.id ?? '', page: 1 } })
    assert.deepEqual(items.reply.data, ['A-1', 'A-2', 'A-3'])
    const german = products.find(({ name }) => name === 'Schlüssel')
    const taken = await seller.call(listItems, { path: { productId: german?.id ?? '', page: 1 } })
    assert.deepEqual([german?.cost, taken.reply.data], [9.5, ['=1+1', '"A"; B']])
  })

  test('a wrong line is named, and nothing of the file is imported', async () => {
    const seller = await aSeller(server)
    const refusals: [string | Buffer, RegExp][] = [
      ['name,cost\nGame key,9.5\nX,1\n', /Record 3: name .*nothing was imported/],
      ['name,cost\nGame key,cheap\n', /Record 2: "cheap" is no price/],
      ['a,b\n1,2\n', /no known form/],
      ['name,cost\n"Game key,1\n', /not CSV/],
      ['name,cost\nGame key,"1,000"\n', /Record 2: "1,000" can be read in two ways/],
      ['name,cost\nGame key,-5\n', /Record 2: "-5" is no price/],
      [`name,cost,items\nGame key,1,${'k'.repeat(65_537)}\n`, /Record 2: an item has over 65536 characters/],
      [Buffer.from('name,cost\nSchl\xfcssel,1\n', 'latin1'), /is not in UTF-8/],
      [Buffer.from('\uFEFFname,cost\nGame key,1\n', 'utf16le'), /is not in UTF-8/],
    ]
    for (const [text, expected] of refusals) {
      const told = importGoods(running(server), { storeId: seller.storeId, file: await aFile(text), isDry: false })
      assert.match(String(await told.catch((error: Error) => error.message)), expected)
    }
    assert.deepEqual((await seller.call(listProducts, { path: { page: 1 } })).reply.data, [])
  })
})

describe('a store that moves', () => {
  const there = useServer({ hasJobs: false })
  const elsewhere = useServer({ hasJobs: false, platform: { secrets: secretKeyOf(Buffer.alloc(32, 9)) } })

  async function aMovingShop() {
    const shop = await aShop(server)
    const product = await aProduct(shop, { items: 3 })
    const order = await anOrder(shop, product)
    await pay(server, order)
    await anOrder(shop, product)
    await shop.call(createWebhook, { body: { url: 'https://example.com/hook' } })
    const body = multipart([{ name: 'file', content: 'the file', fileName: 'guide.txt' }])
    await upload(server, shop, replaceProductFile, { path: { productId: product.id }, body })
    await aMove(shop.storeId, order.id)
    return { shop, product, order }
  }

  /** What left an address of the store. */
  async function aMove(storeId: string, orderId: string) {
    const target = `0x${orderId.replaceAll('-', '')}`
    await sql`
      insert into crypto_addresses (method, target, store_id, order_id, fingerprint, derivation_index, address)
      values ('ethereum', ${target}, ${storeId}, ${orderId}, 'f', 1, ${target})
    `.execute(server.platform.db)
    await sql`
      insert into crypto_moves (method, txid, position, target, units, fee_units, height)
      values ('ethereum', ${target}, 0, ${target}, '5', '1', 7)
    `.execute(server.platform.db)
  }

  test('is equal in both places, its files and its waiting work too', async () => {
    const { storeId } = (await aMovingShop()).shop
    const [before, after] = [join(folder, 'before.gz'), join(folder, 'after.gz')]
    await exportStore(running(server), { storeId, file: before })

    const owner = await aUser(there)
    const told = await importStore(running(there), { file: before, owner })
    await exportStore(running(there), { storeId, file: after })
    const [here, away] = [await contentOf(before), await contentOf(after)]
    const stores = (here['stores'] ?? []).map((row) => JSON.stringify({ ...JSON.parse(row), owner_id: owner.id }))
    assert.deepEqual(parsed(away['stores']), parsed(stores))
    assert.deepEqual({ ...away, stores: [] }, { ...here, stores: [] })
    assert.include(told, { files: 1, membersLeftOut: 0 })
    assert.equal(away['crypto_moves']?.length, 1)
    // The order that was not paid gives its stock back there.
    assert.isTrue(here['jobs']?.some((row) => JSON.parse(row).queue === 'expire-order'))
    const again = await importStore(running(there), { file: before, owner }).catch((error: Error) => error.message)
    assert.equal(again, 'This store is here already')
  })

  test('opens under another secret key with its passphrase, and not without', async () => {
    const { shop, product, order } = await aMovingShop()
    const { storeId } = shop
    const owner = await aUser(elsewhere)
    const file = join(folder, 'sealed.gz')
    const refusal = (given: Partial<ImportOptions>) =>
      importStore(running(elsewhere), { file, owner, ...given }).catch((error: Error) => error.message)
    await exportStore(running(server), { storeId, file })
    assert.match(String(await refusal({})), /another secret key: export it there with --passphrase/)
    const short = exportStore(running(server), { storeId, file, passphrase: 'short' })
    assert.match(String(await short.catch((error: Error) => error.message)), /at least 12 characters/)

    const passphrase = 'correct horse battery'
    await exportStore(running(server), { storeId, file, passphrase })
    assert.match(String(await refusal({})), /--passphrase is missing/)
    assert.match(String(await refusal({ passphrase: 'another horse' })), /not the passphrase/)
    assert.include(await refusal({ passphrase }), { files: 1 })

    const { platform } = elsewhere
    const { apiKey } = await transact(platform.db, (tx) =>
      issueKey(tx, platform, owner, { label: 'moved', scopes: [...scopeNames], storeIds: null }),
    )
    const path = { storeId, productId: product.id, page: 1 }
    const kept = await call(elsewhere, listItems, { path }, { apiKey })
    assert.deepEqual(kept.reply.data, (await shop.call(listItems, { path })).reply.data)
    const bought = await call(elsewhere, getOrder, { path: { storeId, orderId: order.id } }, { apiKey })
    assert.ok(bought.reply.deliveredItem)
    const sold = await shop.call(getOrder, { path: { orderId: order.id } })
    assert.equal(bought.reply.deliveredItem, sold.reply.deliveredItem)
    const [moved, left] = [
      await call(elsewhere, getStore, { path: { storeId } }, { apiKey }),
      await shop.call(getStore, {}),
    ]
    assert.equal(moved.data.webhookSecret, left.data.webhookSecret)
    // Found by its hash, which is of this place's key.
    await call(elsewhere, removeItems, { path, body: { items: kept.reply.data.slice(0, 1) } }, { apiKey })
    const fewer = await call(elsewhere, listItems, { path }, { apiKey })
    assert.deepEqual(fewer.reply.data, kept.reply.data.slice(1))
  })

  test('brings nothing that is not its own', async () => {
    const { shop } = await aMovingShop()
    const file = join(folder, 'honest.gz')
    await exportStore(running(server), { storeId: shop.storeId, file })
    const owner = await aUser(there)
    const foreign: Entry[] = [
      { kind: 'rows', table: 'users', rows: [JSON.stringify({ id: newId(), is_staff: true })] },
      { kind: 'rows', table: 'coupons', rows: [JSON.stringify({ id: newId(), store_id: newId(), name: 'X' })] },
      {
        kind: 'rows',
        table: 'jobs',
        rows: [JSON.stringify({ queue: 'remove-blobs', data: { storeId: shop.storeId, storageKeys: ['a'] } })],
      },
      { kind: 'blob', key: 'images/of-another.png', bytes: '', isLast: true },
    ]
    for (const entry of foreign) {
      const forged = join(folder, 'forged.gz')
      await writeArchive(
        forged,
        (async function* () {
          for await (const each of readArchive(file)) yield* each.kind === 'end' ? [entry, each] : [each]
        })(),
      )
      const told = await importStore(running(there), { file: forged, owner }).catch((error: Error) => error.message)
      assert.match(String(told), /not of its store|no row of the store names/)
    }
  })
})

describe('a backup of a busy server', () => {
  const empty = useServer({ hasJobs: false })

  test('restored into an empty one, every table and file is equal, and of one moment', async () => {
    const shop = await aShop(server)
    const product = await aProduct(shop, { items: 200 })
    let isDone = false
    let sold = 0
    const buyers = Array.from({ length: 3 }, async () => {
      for (; !isDone; sold += 1) await pay(server, await anOrder(shop, product))
    })
    await eventually(() => assert.isAbove(sold, 3), 30)
    const [first, second] = [join(folder, 'busy.gz'), join(folder, 'restored.gz')]
    const told = await backUp(running(server), first)
    isDone = true
    await Promise.all(buyers)

    assert.deepEqual(await restore(running(empty), first), told)
    assert.deepInclude(told, { ...(await backUp(running(empty), second)), file: first })
    const [busy, restored] = [await contentOf(first), await contentOf(second)]
    assert.deepEqual(restored, busy)
    // Found by its hash, a number too large for JavaScript.
    const hashes = sql<{ sum: string }>`select md5(string_agg(value_hash::text, ',' order by id)) as sum from items`
    const [original, copy] = [await hashes.execute(server.platform.db), await hashes.execute(empty.platform.db)]
    assert.deepEqual(copy.rows, original.rows)
    const { rows } = await sql<{ sold: number; owed: number }>`
      select (select count(*)::int from items where order_id is not null) as sold,
             (select coalesce(sum(quantity), 0)::int from orders where status <> 'Cancelled') as owed
    `.execute(empty.platform.db)
    assert.equal(rows[0]?.sold, rows[0]?.owed)
  })
})

describe('listen and trigger', () => {
  test('events come signed, in their order, from the number that was asked for', async () => {
    const shop = await aShop(server)
    const product = await aProduct(shop, { items: 3 })
    await pay(server, await anOrder(shop, product))
    const receiver = await aReceiver()
    const lines: string[] = []
    const told = await listen(running(server), {
      storeId: shop.storeId,
      forwardUrl: receiver.url,
      from: 1,
      count: 3,
      isStopped: () => false,
      print: (line) => lines.push(line),
    })
    const made = await trigger(running(server), {
      type: 'order.disputed',
      storeId: shop.storeId,
      forwardUrl: receiver.url,
    })
    assert.deepEqual(
      [told, made],
      [
        { forwarded: 3, last: 3 },
        { type: 'order.disputed', answer: '200' },
      ],
    )
    const store = await server.platform.db
      .selectFrom('stores')
      .where('id', '=', shop.storeId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const proof = new Webhook(openWebhookSecret(server.platform.secrets, store))
    const types = receiver.received.map(({ headers, body }) => Object(proof.verify(body, headers))['type'])
    assert.deepEqual(types, ['order.created', 'order.paid', 'order.delivered', 'order.disputed'])
    assert.equal(lines.length, 4)
  })

  test('an event that is triggered happens in the store: its webhooks are told, and whoever listens', async () => {
    const shop = await aShop(server)
    const { storeId } = shop
    const [webhook, listener] = [await aReceiver(), await aReceiver()]
    await shop.call(createWebhook, { body: { url: webhook.url, events: ['order.delivered'] } })
    const listening = listen(running(server), {
      storeId,
      forwardUrl: listener.url,
      from: undefined,
      count: 2,
      isStopped: () => false,
      print: () => {},
    })
    const make = (type: string) => trigger(running(server), { type, storeId, forwardUrl: undefined })
    assert.include(await make('order.delivered'), { type: 'order.delivered', number: 1, webhooks: 1 })
    assert.include(await make('review.created'), { number: 2, webhooks: 0 })
    assert.include(await listening, { forwarded: 2, last: 2 })
    await eventually(() => assert.equal(webhook.received.length, 1))
    assert.equal(webhook.received[0]?.body, listener.received[0]?.body)
    assert.equal(webhook.received[0]?.headers['webhook-id'], listener.received[0]?.headers['webhook-id'])
    const told = await make('order.nothing').catch((error: Error) => error.message)
    assert.match(String(told), /^There is no event order\.nothing; there are order\.created, /)
  })
})

/** Rows by table and the files, in an order of their own. */
async function contentOf(file: string): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for await (const entry of readArchive(file)) {
    if (entry.kind === 'rows') (content[entry.table] ??= []).push(...entry.rows)
    if (entry.kind === 'blob') (content[`file ${entry.key}`] ??= []).push(entry.bytes)
  }
  for (const rows of Object.values(content)) rows.sort()
  return content
}

function parsed(rows: string[] = []): unknown[] {
  return rows.map((row) => JSON.parse(row))
}
