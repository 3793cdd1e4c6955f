import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type ClientRequest, createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as contract from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { multipart, multipartType } from '#test/multipart'
import { statementsOf } from '#test/statements'

const server = useServer({ hasJobs: true })
let listener: Server
beforeAll(async () => {
  listener = createServer(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  listener.closeAllConnections()
  listener.close()
})

function urlOf(path: string): string {
  const address = listener.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}${path}`
}

async function aProduct(seller: Seller): Promise<string> {
  return (await seller.call(contract.createProduct, { body: { name: 'Software', cost: 1, visibility: 0 } })).data.id
}

interface Sending {
  outgoing: ClientRequest
  answer: Promise<{ status: number; body: string }>
}

function send(
  seller: Seller,
  productId: string,
  part: 'file' | 'image',
  headers: Record<string, string | number> = {},
): Sending {
  const outgoing = request(urlOf(`/stores/${seller.storeId}/products/${productId}/${part}`), {
    method: 'PATCH',
    headers: {
      host: server.platform.config.apiUrl.host,
      authorization: `Bearer ${seller.apiKey}`,
      'content-type': multipartType,
      ...headers,
    },
  })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    outgoing.once('error', reject).once('response', async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, body })
    })
  })
  answer.catch(() => {})
  return { outgoing, answer }
}

/** Everything that an upload could leave behind. */
async function traces(seller: Seller): Promise<string[]> {
  const { db, config } = server.platform
  const found = await readdir(config.dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = found.filter((each) => each.isFile()).map(({ name, parentPath }) => join(parentPath, name))
  const rows = await db.selectFrom('productFiles').select('id').where('storeId', '=', seller.storeId).execute()
  const doomed = await sql<{ storageKey: string }>`select storage_key from doomed_blobs`.execute(db)
  return [...files, ...rows.map(({ id }) => id), ...doomed.rows.map(({ storageKey }) => storageKey)]
}

async function nothingLeft(seller: Seller): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await traces(seller)).length === 0) return
    await sleep(100)
  }
  assert.deepEqual(await traces(seller), [])
}

describe('an upload that is cut', () => {
  test('leaves nothing, wherever it is cut', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    for (const part of ['file', 'image'] as const) {
      const body = multipart([{ name: part, content: randomBytes(400_000), fileName: 'x' }])
      for (const bytes of [1, 40, 150, 10_000, 200_000, body.length - 30, body.length - 1]) {
        const { outgoing } = send(seller, productId, part, { 'content-length': body.length })
        outgoing.write(body.subarray(0, bytes))
        await sleep(30)
        outgoing.destroy()
      }
    }
    await nothingLeft(seller)
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    assert.deepEqual([data.files, data.imageNames], [[], []])
  })

  test('keeps the file that was there', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const whole = send(seller, productId, 'file')
    whole.outgoing.end(multipart([{ name: 'file', content: 'the old one', fileName: 'old.txt' }]))
    assert.equal((await whole.answer).status, 200)
    const cut = send(seller, productId, 'file', { 'content-length': 1_000_000 })
    cut.outgoing.write(multipart([{ name: 'file', content: randomBytes(50_000), fileName: 'new.txt' }], ''))
    await sleep(50)
    cut.outgoing.destroy()
    await sleep(200)
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    assert.deepEqual(
      data.files.map(({ friendlyName }) => friendlyName),
      ['old.txt'],
    )
    await seller.call(contract.removeProductFile, { path: { productId, fileId: data.files[0]?.id ?? '' } })
    await nothingLeft(seller)
  })
})

describe('a short upload', () => {
  test('is whole before anything of it is written down', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const body = multipart([{ name: 'file', content: randomBytes(20_000), fileName: 'x' }])
    const twoParts = multipart([
      { name: 'file', content: 'one', fileName: 'a' },
      { name: 'file', content: 'two', fileName: 'b' },
    ])
    const statements = await statementsOf(async () => {
      const { outgoing } = send(seller, productId, 'file', { 'content-length': body.length })
      outgoing.write(body.subarray(0, 10_000))
      await sleep(200)
      outgoing.destroy()
      const refused = send(seller, productId, 'file')
      refused.outgoing.end(twoParts)
      assert.equal((await refused.answer).status, 400)
    })
    assert.deepEqual(
      statements.filter((text) => text.includes('insert into doomed_blobs')),
      [],
    )
    assert.deepEqual(await traces(seller), [])
  })

  test('and one that is longer than what is held arrive as they were sent', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const held = 64 * 1024
    for (const bytes of [1, held - 1, held, held + 1, 3 * held]) {
      const content = randomBytes(bytes)
      const whole = send(seller, productId, 'file')
      whole.outgoing.end(multipart([{ name: 'file', content, fileName: 'x' }]))
      assert.equal((await whole.answer).status, 200)
      const files = (await traces(seller)).filter((trace) => trace.startsWith('/'))
      // The one before may be removed meanwhile.
      const stored = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)))
      assert.ok(
        stored.some((each) => each?.equals(content)),
        `${bytes} bytes are not there as they were sent`,
      )
    }
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    await seller.call(contract.removeProductFile, { path: { productId, fileId: data.files[0]?.id ?? '' } })
    await nothingLeft(seller)
  })
})

describe('an upload that does not end', () => {
  test('is told 413 while it is sent', { timeout: 60_000 }, async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const { outgoing, answer } = send(seller, productId, 'image')
    const chunk = Buffer.alloc(2 ** 20)
    let sent = 0
    let isOver = false
    outgoing.write(multipart([{ name: 'image', content: '', fileName: 'x.png' }], '').subarray(0, -2))
    const sending = (async () => {
      while (!isOver && !outgoing.destroyed && sent < 1000 * 2 ** 20) {
        sent += chunk.length
        if (!outgoing.write(chunk))
          await Promise.race([new Promise((next) => outgoing.once('drain', next)), sleep(200)])
      }
    })()
    const { status } = await answer.catch(() => ({ status: 0 }))
    isOver = true
    outgoing.destroy()
    await sending
    assert.equal(status, 413)
    assert.ok(sent < 200 * 2 ** 20, `${sent} bytes were read`)
    await nothingLeft(seller)
  })

  test('is refused at once when it says how large it is', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const { outgoing, answer } = send(seller, productId, 'image', { 'content-length': 10 ** 10 })
    outgoing.flushHeaders()
    const begin = performance.now()
    assert.equal((await answer).status, 413)
    assert.ok(performance.now() - begin < 4_000)
    outgoing.destroy()
  })

  test('is cut off when it all but stops', { timeout: 40_000 }, async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const { outgoing, answer } = send(seller, productId, 'file', { 'content-length': 10_000_000 })
    outgoing.write(multipart([{ name: 'file', content: 'slow', fileName: 'x' }], ''))
    const timer = setInterval(() => outgoing.write('x'), 500)
    const begin = performance.now()
    await assert.rejects(answer)
    clearInterval(timer)
    assert.ok(performance.now() - begin < 20_000)
    await nothingLeft(seller)
  })
})
