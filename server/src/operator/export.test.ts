import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inviteMember } from '@keystall/contract/endpoints/members'
import { updateRetention } from '@keystall/contract/endpoints/privacy'
import { replaceProductFile } from '@keystall/contract/endpoints/products'
import { afterAll, assert, beforeAll, test } from 'vitest'
import { useServer } from '#test/harness'
import { multipart, upload } from '#test/multipart'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { readArchive } from './archive.ts'
import { exportStore } from './export.ts'
import { tableNames } from './tables.ts'

const server = useServer({ hasJobs: false })
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystall-export-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an export has every table of the store and every file, and nothing of another store', async () => {
  const [seller, other] = [await aShop(server), await aShop(server)]
  for (const shop of [seller, other]) {
    const product = await aProduct(shop, { items: 2 })
    await pay(server, await anOrder(shop, product))
    const body = multipart([{ name: 'file', content: `the file of ${shop.storeId}`, fileName: 'guide.txt' }])
    await upload(server, shop, replaceProductFile, { path: { productId: product.id }, body })
    await shop.call(inviteMember, { body: { emailAddress: 'colleague@example.com', scopes: ['ViewStores'] } })
    await shop.call(updateRetention, { body: { keepTicketsDays: 30 } })
  }
  const { platform, database } = server
  const running = { platform, databaseUrl: database.url }
  const file = join(folder, 'export.gz')
  const told = await exportStore(running, { storeId: seller.storeId, file })

  const tables = new Map<string, string[]>()
  const blobs: string[] = []
  for await (const entry of readArchive(file)) {
    if (entry.kind === 'rows') tables.set(entry.table, [...(tables.get(entry.table) ?? []), ...entry.rows])
    if (entry.kind === 'blob') blobs.push(Buffer.from(entry.bytes, 'base64').toString())
  }
  assert.include(told, { files: 1 })
  assert.deepEqual(blobs, [`the file of ${seller.storeId}`])
  for (const name of ['stores', 'orders', 'items', 'store_acts', 'store_invitations', 'store_retention', 'payments']) {
    assert.isAbove(tables.get(name)?.length ?? 0, 0, name)
  }
  assert.notInclude(JSON.stringify([...tables]), other.storeId)
  const all = await tableNames(platform.db)
  assert.isAbove(Object(told)['tables'], all.length / 2)
})
