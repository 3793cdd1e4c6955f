import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import * as contract from '@keystall/contract/endpoints/file-uploads'
import { getProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { multipart, upload } from '#test/multipart'
import { aProduct } from '#test/shop'
import { expireFileUpload } from './file-upload.ts'

const server = useServer({ hasJobs: true, env: { MAX_FILE_BYTES: '1000000' } })

async function begin(seller: Seller, productId: string, bytes: number, fileName = 'setup.zip') {
  const begun = await seller.call(contract.beginFileUpload, { path: { productId }, body: { fileName, bytes } })
  return begun.data.id
}

async function sendPart(
  seller: Seller,
  { productId, uploadId, offset }: { productId: string; uploadId: string; offset: number },
  content: Buffer | string,
) {
  const { status, body } = await upload(server, seller, contract.sendFilePart, {
    path: { productId, uploadId },
    query: `?offset=${offset}`,
    body: multipart([{ name: 'file', content, fileName: 'part' }]),
  })
  const data: Partial<contract.FileUpload> | null = Object(body)['data']
  return { status, data, code: body.code }
}

async function stored(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of server.platform.storage.list(prefix)) keys.push(key)
  return keys
}

async function eventuallyNone(prefix: string): Promise<void> {
  for (let tries = 0; tries < 100 && (await stored(prefix)).length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.deepEqual(await stored(prefix), [])
}

async function aFile() {
  const seller = await aSeller(server)
  const { id: productId } = await aProduct(seller)
  return { seller, productId }
}

describe('PATCH /stores/{storeId}/products/{productId}/file/uploads/{uploadId}', () => {
  test('parts become the file, byte for byte, and go', async () => {
    const { seller, productId } = await aFile()
    const content = randomBytes(300_001)
    const uploadId = await begin(seller, productId, content.length, 'Мой файл.zip')
    const first = await sendPart(seller, { productId, uploadId, offset: 0 }, content.subarray(0, 200_000))
    assert.deepEqual([first.data?.receivedBytes, first.data?.fileId], [200_000, null])
    const seen = await seller.call(contract.getFileUpload, { path: { productId, uploadId } })
    assert.equal(seen.data.receivedBytes, 200_000)
    const last = await sendPart(seller, { productId, uploadId, offset: 200_000 }, content.subarray(200_000))
    assert.equal(last.data?.receivedBytes, content.length)

    const { files } = (await seller.call(getProduct, { path: { productId } })).data
    assert.deepEqual(
      files.map(({ id, friendlyName }) => [id, friendlyName]),
      [[last.data?.fileId, 'Мой файл.zip']],
    )
    const row = await server.platform.db
      .selectFrom('productFiles')
      .selectAll()
      .where('storeId', '=', seller.storeId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row.sha256, createHash('sha256').update(content).digest())
    await eventuallyNone(`parts/${seller.storeId}/`)
  })

  test('a part elsewhere is refused and leaves nothing; of the same part twice one counts', async () => {
    const { seller, productId } = await aFile()
    const uploadId = await begin(seller, productId, 10)
    const early = await sendPart(seller, { productId, uploadId, offset: 5 }, 'fghij')
    assert.deepEqual([early.status, early.code], [409, 'ObjectConflict'])
    const both = await Promise.all([0, 0].map((offset) => sendPart(seller, { productId, uploadId, offset }, 'abcde')))
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
    const { receivedBytes } = (await seller.call(contract.getFileUpload, { path: { productId, uploadId } })).data
    assert.equal(receivedBytes, 5)
    assert.equal((await stored(`parts/${seller.storeId}/`)).length, 1)
  })

  test('more than was announced is refused', async () => {
    const { seller, productId } = await aFile()
    const uploadId = await begin(seller, productId, 4)
    assert.equal((await sendPart(seller, { productId, uploadId, offset: 0 }, 'abcde')).status, 413)
    assert.equal((await sendPart(seller, { productId, uploadId, offset: 0 }, '')).status, 400)
  })

  test('what was not put together is, when asked with an empty part; once', async () => {
    const { seller, productId } = await aFile()
    const uploadId = await begin(seller, productId, 3)
    await sendPart(seller, { productId, uploadId, offset: 0 }, 'ab')
    // As if the process had died after the last part was kept.
    const key = `parts/${seller.storeId}/late`
    const { Readable } = await import('node:stream')
    await server.platform.storage.put(key, Readable.from([Buffer.from('c')]), { bytesMax: 1 })
    await sql`update file_uploads set received_bytes = 3, part_keys = part_keys || ${key}::text
      where store_id = ${seller.storeId}`.execute(server.platform.db)
    const asked = await Promise.all([3, 3, 3].map((offset) => sendPart(seller, { productId, uploadId, offset }, '')))
    const fileIds = new Set(asked.flatMap(({ data }) => data?.fileId ?? []))
    assert.equal(fileIds.size, 1)
    const again = await sendPart(seller, { productId, uploadId, offset: 3 }, '')
    assert.ok(fileIds.has(again.data?.fileId ?? ''))
    await eventuallyNone(`parts/${seller.storeId}/`)
  })
})

describe('POST /stores/{storeId}/products/{productId}/file/uploads', () => {
  test('a file that would be too large, and a sixth at once, are refused', async () => {
    const { seller, productId } = await aFile()
    const path = { productId }
    const large = await seller.call(contract.beginFileUpload, { path, body: { fileName: 'x', bytes: 1_000_001 } })
    assert.deepEqual(Object.keys(large.refused?.fields ?? {}), ['bytes'])
    const begun = await Promise.all(
      Array.from({ length: 8 }, () =>
        seller.call(contract.beginFileUpload, { path, body: { fileName: 'x', bytes: 1 } }),
      ),
    )
    assert.equal(begun.filter(({ status }) => status === 200).length, 5)
  })
})

describe('DELETE /stores/{storeId}/products/{productId}/file/uploads/{uploadId}', () => {
  test('what has arrived goes; so it does a day after the last part', async () => {
    const { seller, productId } = await aFile()
    const uploadId = await begin(seller, productId, 10)
    await sendPart(seller, { productId, uploadId, offset: 0 }, 'abcde')
    await seller.call(contract.cancelFileUpload, { path: { productId, uploadId } })
    const gone = await seller.call(contract.getFileUpload, { path: { productId, uploadId } })
    assert.equal(gone.refused?.status, 404)
    await eventuallyNone(`parts/${seller.storeId}/`)

    const id = await begin(seller, productId, 10)
    await sendPart(seller, { productId, uploadId: id, offset: 0 }, 'abcde')
    const { db } = server.platform
    const expire = () => transact(db, (tx) => expireFileUpload(tx, { storeId: seller.storeId, id }))
    await expire()
    assert.equal((await stored(`parts/${seller.storeId}/`)).length, 1)
    await sql`update file_uploads set touched_at = now() - interval '25 hours' where id = ${id}`.execute(db)
    await expire()
    await eventuallyNone(`parts/${seller.storeId}/`)
  })
})
