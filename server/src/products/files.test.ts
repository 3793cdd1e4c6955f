import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as contract from '@keystall/contract/endpoints/products'
import { appendItems, clearItems } from '@keystall/contract/endpoints/items'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { multipart, type Part, upload } from '#test/multipart'
import { removeForgottenBlobs, storeBlobs } from './blobs.ts'
import { friendlyNameOf } from './file-name.ts'

const fileBytesMax = 1_000_000
const server = useServer({ hasJobs: true, env: { MAX_FILE_BYTES: String(fileBytesMax) } })

async function aProduct(seller: Seller): Promise<string> {
  return (await seller.call(contract.createProduct, { body: { name: 'Software', cost: 1, visibility: 0 } })).data.id
}

function putFile(seller: Seller, productId: string, content: Buffer | string, more: Partial<Part> = {}) {
  const body = multipart([{ name: 'file', content, fileName: 'setup.zip', ...more }])
  return upload(server, seller, contract.replaceProductFile, { path: { productId }, body })
}

async function storedOf(seller: Seller): Promise<string[]> {
  const folder = join(server.platform.config.dataDir, 'uploads', 'files', seller.storeId)
  return readdir(folder).catch(() => [])
}

async function rowOf(seller: Seller) {
  return server.platform.db.selectFrom('productFiles').selectAll().where('storeId', '=', seller.storeId).execute()
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('it did not happen')
}

describe('PATCH /stores/{storeId}/products/{productId}/file', () => {
  test('any bytes are kept whole, with their hash, under a name of ours', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const content = Buffer.concat([randomBytes(300_000), Buffer.from('\r\n--xXxTheBoundaryxX\r\n')])
    const { status, body } = await putFile(seller, productId, content, { fileName: 'Мой файл 🔑.zip' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.files.map(({ friendlyName }: { friendlyName: string }) => friendlyName),
      ['Мой файл 🔑.zip'],
    )
    const [row] = await rowOf(seller)
    assert.equal(row?.bytes, content.length)
    assert.deepEqual(row?.sha256, createHash('sha256').update(content).digest())
    const found = await server.platform.storage.read(row?.storageKey ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of found?.stream ?? []) chunks.push(chunk)
    assert.ok(Buffer.concat(chunks).equals(content))
  })

  test('a new file replaces the old one, whose bytes go', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const first = (await putFile(seller, productId, 'one', { fileName: 'one.txt' })).body.data.files[0]
    const second = (await putFile(seller, productId, 'two', { fileName: 'two.txt' })).body.data.files
    assert.equal(second.length, 1)
    assert.equal(second[0].friendlyName, 'two.txt')
    assert.notEqual(second[0].id, first.id)
    await eventually(async () => (await storedOf(seller)).length === 1)
    assert.deepEqual(await storedOf(seller), [second[0].id])
  })

  test('of ten uploads at once one remains, whole', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const contents = Array.from({ length: 10 }, () => randomBytes(100_000))
    const answers = await Promise.all(contents.map((content) => putFile(seller, productId, content)))
    assert.ok(answers.every(({ status }) => status === 200))
    const rows = await rowOf(seller)
    assert.equal(rows.length, 1)
    const hashes = contents.map((content) => createHash('sha256').update(content).digest('hex'))
    assert.ok(hashes.includes(rows[0]?.sha256.toString('hex') ?? ''))
    await eventually(async () => (await storedOf(seller)).length === 1)
  })

  test('one byte too many is 413, and the old file stays', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    assert.equal((await putFile(seller, productId, Buffer.alloc(fileBytesMax))).status, 200)
    const before = await rowOf(seller)
    const tooLarge = await putFile(seller, productId, Buffer.alloc(fileBytesMax + 1))
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'PayloadTooLarge'])
    assert.equal((await putFile(seller, productId, Buffer.alloc(fileBytesMax + 500_000))).status, 413)
    assert.deepEqual(await rowOf(seller), before)
    assert.equal((await storedOf(seller)).length, 1)
  })

  test('an empty file, a wrong part and a second part are refused, and nothing stays', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const file = { name: 'file', content: 'x', fileName: 'a' }
    const forms = [
      multipart([{ ...file, content: '' }]),
      multipart([{ ...file, name: 'image' }]),
      multipart([file, file]),
      multipart([file, { name: 'note', content: 'x' }]),
      multipart([file], ''),
    ]
    for (const body of forms) {
      const answer = await upload(server, seller, contract.replaceProductFile, { path: { productId }, body })
      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(answer.fields), ['file'])
    }
    assert.deepEqual(await storedOf(seller), [])
    assert.deepEqual(await rowOf(seller), [])
    const doomed = await sql<{ n: number }>`
      select count(*) as n from doomed_blobs where storage_key like ${`files/${seller.storeId}/%`}
    `.execute(server.platform.db)
    assert.equal(doomed.rows[0]?.n, 0)
  })

  test('a product with a file has no limit, until it has items too', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const path = { productId }
    const stock = async () => (await seller.call(contract.listProductReferences)).data[0]?.stock
    assert.equal(await stock(), 0)
    await putFile(seller, productId, 'x')
    assert.equal(await stock(), -1)
    await seller.call(appendItems, { path, body: { items: ['a', 'b'] } })
    assert.equal(await stock(), 2)
    await seller.call(clearItems, { path })
    assert.equal(await stock(), -1)
  })
})

describe('DELETE /stores/{storeId}/products/{productId}/file/{fileId}', () => {
  test('the file goes, from the product and from the storage', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const fileId = (await putFile(seller, productId, 'x')).body.data.files[0].id
    const { data } = await seller.call(contract.removeProductFile, { path: { productId, fileId } })
    assert.deepEqual(data.files, [])
    await eventually(async () => (await storedOf(seller)).length === 0)
    assert.equal((await seller.call(contract.removeProductFile, { path: { productId, fileId } })).status, 404)
  })

  test('only a file of this very product', async () => {
    const seller = await aSeller(server)
    const [productId, otherId] = [await aProduct(seller), await aProduct(seller)]
    const fileId = (await putFile(seller, otherId, 'x')).body.data.files[0].id
    for (const each of [fileId, newId(), 'abc', '..%2f']) {
      const { refused } = await seller.call(contract.removeProductFile, { path: { productId, fileId: each } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
    assert.equal((await rowOf(seller)).length, 1)
  })
})

describe('bytes that no row names', () => {
  test('a crash between storing and committing leaves nothing', async () => {
    const { platform } = server
    const key = `files/${newId()}/${newId()}`
    await storeBlobs(platform, [key], async () => {
      const { Readable } = await import('node:stream')
      return platform.storage.put(key, Readable.from([Buffer.from('x')]), { bytesMax: 10 })
    })
    await removeForgottenBlobs(platform)
    assert.ok(await platform.storage.exists(key), 'a living upload was taken for dead')
    await sql`update doomed_blobs set touched_at = now() - interval '1 minute' where storage_key = ${key}`.execute(
      platform.db,
    )
    await removeForgottenBlobs(platform)
    assert.ok(!(await platform.storage.exists(key)))
    const left = await platform.db.selectFrom('doomedBlobs').selectAll().where('storageKey', '=', key).execute()
    assert.deepEqual(left, [])
  })
})

test('names of files keep their letters and lose their folders', () => {
  const names: [string, string][] = [
    ['setup.exe', 'setup.exe'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\игра.zip', 'игра.zip'],
    ['a\u0000b\r\nc.txt', 'abc.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['.htaccess', '.htaccess'],
    ['"quoted"; x=1.txt', '"quoted"; x=1.txt'],
    [`${'n'.repeat(300)}.tar.gz`, `${'n'.repeat(197)}.gz`],
    ['\ud800.txt', '.txt'],
  ]
  for (const [given, expected] of names) assert.equal(friendlyNameOf(given), expected)
})
