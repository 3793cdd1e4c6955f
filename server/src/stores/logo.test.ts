import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { viewStoreById } from '@keystall/contract/endpoints/stores'
import { newId } from '#platform/db/ids'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer({ hasJobs: false })

async function upload(seller: Seller, bytes: Buffer, given: { part?: string; storeId?: string } = {}) {
  const boundary = 'x-boundary-x'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${given.part ?? 'image'}"; filename="logo.png"\r\n\r\n`
  const response = await server.app.api.inject({
    method: 'POST',
    url: `/stores/${given.storeId ?? seller.storeId}/image`,
    headers: {
      authorization: `Bearer ${seller.apiKey}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return { status: response.statusCode, body: response.json() }
}

const aPicture = (colour: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .withExif({ IFD0: { Copyright: 'SENTINEL' } })
    .png()
    .toBuffer()

async function storedImages(): Promise<string[]> {
  const keys = []
  for await (const { key } of server.platform.storage.list('images/')) keys.push(key)
  return keys
}

describe('POST /stores/{storeId}/image', () => {
  test('sets the logo, and a new one takes its place', async () => {
    const seller = await aSeller(server)
    const first = await upload(seller, await aPicture('red'))
    assert.equal(first.status, 200)
    assert.equal(first.body.data.id, seller.storeId)
    const logo = async () =>
      (await call(server, viewStoreById, { path: { storeId: seller.storeId } })).data.profileImage
    const before = await logo()
    assert.match(String(before), /^http:\/\/localhost:8080\/images\/[0-9a-f]{32}\.png$/)

    const second = await upload(seller, await aPicture('blue'))
    assert.equal(second.status, 200)
    const after = await logo()
    assert.notEqual(after, before)
    const doomed = await server.platform.db.selectFrom('doomedBlobs').select('storageKey').execute()
    const former = new URL(String(before)).pathname.slice(1)
    assert.ok(doomed.some(({ storageKey }) => storageKey === former))
    const present = new URL(String(after)).pathname.slice(1)
    assert.ok(!doomed.some(({ storageKey }) => storageKey === present))
    assert.ok((await storedImages()).includes(present))
  })

  test('what is no picture is refused and leaves nothing', async () => {
    const seller = await aSeller(server)
    const before = await storedImages()
    const wrongs = [
      Buffer.from('just text'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      (await aPicture('red')).subarray(0, 60),
    ]
    for (const bytes of wrongs) {
      const { status, body } = await upload(seller, bytes)
      assert.equal(status, 400)
      assert.equal(body.invalidFields[0].fieldName, 'image')
    }
    assert.equal((await upload(seller, await aPicture('red'), { part: 'other' })).status, 400)
    assert.deepEqual(await storedImages(), before)
  })

  test('more than 5 MB are too many', async () => {
    const seller = await aSeller(server)
    assert.equal((await upload(seller, Buffer.alloc(5_000_001))).status, 413)
  })

  test("another seller's store is not found", async () => {
    const [mine, theirs] = await Promise.all([aSeller(server), aSeller(server)])
    const picture = await aPicture('red')
    assert.equal((await upload(mine, picture, { storeId: theirs.storeId })).status, 404)
    assert.equal((await upload(mine, picture, { storeId: newId() })).status, 404)
  })
})
