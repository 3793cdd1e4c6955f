import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listItems } from '@keystall/contract/endpoints/items'
import { listProducts, replaceProductFile } from '@keystall/contract/endpoints/products'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { sql } from 'kysely'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { openWebhookSecret } from '#platform/secrets/webhook-secret'
import type { Running } from '#start'
import { aSeller, aUser } from '#test/factories'
import { type TestServer, useServer } from '#test/harness'
import { multipart, upload } from '#test/multipart'
import { aReceiver, eventually, stopReceivers } from '#test/receiver'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { readArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { exportStore } from './export.ts'
import { importGoods } from './import-goods.ts'
import { importStore } from './import-store.ts'
import { listen, trigger } from './listen.ts'
import { restore } from './restore.ts'

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

async function aFile(text: string): Promise<string> {
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

    const { data: products } = (await seller.call(listProducts, { path: { page: 1 } })).reply
    const game = products.find(({ name }) => name === 'Game key')
    assert.include(game, { cost: 9.5, visibility: 1 })
    assert.deepEqual(game?.tags, ['games', 'pc'])
    const items = await seller.call(listItems, { path: { productId: game?.id ?? '', page: 1 } })
    assert.deepEqual(items.reply.data, ['A-1', 'A-2', 'A-3'])
  })

  test('a wrong line is named, and nothing of the file is imported', async () => {
    const seller = await aSeller(server)
    const refusals: [string, RegExp][] = [
      ['name,cost\nGame key,9.5\nX,1\n', /Record 3: name .*nothing was imported/],
      ['name,cost\nGame key,cheap\n', /Record 2: "cheap" is no price/],
      ['a,b\n1,2\n', /no known form/],
      ['name,cost\n"Game key,1\n', /not CSV/],
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

  test('is equal in both places, its files too', async () => {
    const shop = await aShop(server)
    const product = await aProduct(shop, { items: 3 })
    await pay(server, await anOrder(shop, product))
    await shop.call(createWebhook, { body: { url: 'https://example.com/hook' } })
    const body = multipart([{ name: 'file', content: 'the file', fileName: 'guide.txt' }])
    await upload(server, shop, replaceProductFile, { path: { productId: product.id }, body })
    const [before, after] = [join(folder, 'before.gz'), join(folder, 'after.gz')]
    await exportStore(running(server), shop.storeId, before)

    const owner = await aUser(there)
    const told = await importStore(running(there), { file: before, owner })
    await exportStore(running(there), shop.storeId, after)
    const [here, away] = [await contentOf(before), await contentOf(after)]
    const stores = (here['stores'] ?? []).map((row) => ({ ...Object(row), owner_id: owner.id }))
    assert.deepEqual(away, { ...here, stores })
    assert.include(told, { files: 1, membersLeftOut: 0 })
    const again = await importStore(running(there), { file: before, owner }).catch((error: Error) => error.message)
    assert.equal(again, 'This store is here already')
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

    await restore(running(empty), first)
    assert.deepInclude(told, { ...(await backUp(running(empty), second)), file: first })
    const [busy, restored] = [await contentOf(first), await contentOf(second)]
    assert.deepEqual(restored, busy)
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
})

/** Rows by table and the files, in an order of their own. */
async function contentOf(file: string): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {}
  for await (const entry of readArchive(file)) {
    if (entry.kind === 'rows') (content[entry.table] ??= []).push(...entry.rows)
    if (entry.kind === 'blob') (content[`file ${entry.key}`] ??= []).push(entry.bytes)
  }
  for (const rows of Object.values(content)) rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return content
}
