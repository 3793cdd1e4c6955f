import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import * as contract from '@keystall/contract/endpoints/products'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { multipart, multipartType, type Part, upload } from '#test/multipart'

const server = useServer({ hasJobs: true })

const picture = sharp({ create: { width: 1200, height: 600, channels: 3, background: '#0c7f75' } })
const png = await picture.clone().png().toBuffer()
const jpg = await picture
  .clone()
  .jpeg()
  .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
  .toBuffer()
const webp = await picture.clone().webp().toBuffer()
const gif = await picture.clone().gif().toBuffer()

async function aProduct(seller: Seller): Promise<string> {
  return (await seller.call(contract.createProduct, { body: { name: 'Game key', cost: 1, visibility: 0 } })).data.id
}

function addImage(seller: Seller, productId: string, content: Buffer | string, more: Partial<Part> = {}) {
  const body = multipart([{ name: 'image', content, fileName: 'picture.png', type: 'image/png', ...more }])
  return upload(server, seller, contract.addProductImage, { path: { productId }, body })
}

function get(url: string, headers: Record<string, string> = {}) {
  return server.app.api.inject({ url, headers })
}

async function stored(prefix = ''): Promise<string[]> {
  const found = await readdir(join(server.platform.config.dataDir, 'uploads'), { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile() && each.name.startsWith(prefix)).map(({ name }) => name)
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('it did not happen')
}

describe('PATCH /stores/{storeId}/products/{productId}/image', () => {
  test('four kinds are taken by their bytes, whatever they are called, and named by us', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const files: [Buffer, string, string][] = [
      [png, 'x.exe', 'png'],
      [jpg, '../../x.png', 'jpg'],
      [webp, 'x.gif', 'webp'],
      [gif, '"\u202e.svg', 'gif'],
    ]
    for (const [content, fileName, format] of files) {
      const { status, body } = await addImage(seller, productId, content, { fileName, type: 'text/html' })
      assert.equal(status, 200, JSON.stringify(body))
      assert.match(body.data.imageNames.at(-1) ?? '', new RegExp(`^[0-9a-f]{32}\\.${format}$`))
    }
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    assert.equal(data.imageNames.length, 4)
  })

  test('what is kept was written anew: no metadata, nothing behind the picture', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const polyglot = Buffer.concat([jpg, Buffer.from('<script>alert(1)</script>')])
    const { body } = await addImage(seller, productId, polyglot)
    const [name] = body.data.imageNames
    const { rawPayload } = await get(`/images/${name}`)
    assert.ok(!rawPayload.includes('SECRET-PLACE'))
    assert.ok(!rawPayload.includes('script'))
  })

  test('what is no picture is refused with a reason', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const wrong: [string, Buffer | string, RegExp][] = [
      ['text', 'just text', /PNG, JPG, WebP or GIF/],
      ['nothing', '', /PNG, JPG, WebP or GIF/],
      ['svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /PNG, JPG, WebP or GIF/],
      ['page', '<!doctype html><script>alert(1)</script>', /PNG, JPG, WebP or GIF/],
      ['truncated jpg', jpg.subarray(0, Math.floor(jpg.length / 2)), /incomplete|PNG, JPG/],
      ['truncated png', png.subarray(0, png.length - 20), /incomplete|PNG, JPG/],
      ['header alone', png.subarray(0, 33), /incomplete|PNG, JPG/],
      ['bomb', bomb(50_000), /pixels/],
      ['noise', randomBytes(5000), /PNG, JPG, WebP or GIF/],
    ]
    for (const [kind, content, reason] of wrong) {
      const { status, fields } = await addImage(seller, productId, content)
      assert.equal(status, 400, kind)
      assert.deepEqual(Object.keys(fields), ['image'], kind)
      assert.match(fields['image'] ?? '', reason, kind)
    }
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    assert.deepEqual(data.imageNames, [])
  })

  test('29,999,999 bytes are taken, 30,000,000 are not', { timeout: 60_000 }, async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)])
    const before = (await stored()).length
    assert.equal((await addImage(seller, productId, padded(30_000_000))).status, 413)
    assert.equal((await addImage(seller, productId, padded(31_000_000))).status, 413)
    assert.equal((await stored()).length, before)
    const { status } = await addImage(seller, productId, padded(29_999_999))
    assert.equal(status, 200)
  })

  test('a 21st image is refused, however many arrive at once', { timeout: 60_000 }, async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const answers = await Promise.all(Array.from({ length: 23 }, () => addImage(seller, productId, gif)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 20)
    assert.equal(answers.filter(({ status, body }) => status === 409 && body.code === 'ObjectConflict').length, 3)
  })

  test('the form must hold that one part and be well formed', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const image = { name: 'image', content: png, fileName: 'a.png' }
    const forms: [string, Buffer, string?][] = [
      ['no part', multipart([])],
      ['no bytes', Buffer.alloc(0)],
      ['another part', multipart([{ ...image, name: 'picture' }])],
      ['a nameless part', multipart([{ ...image, name: '' }])],
      ['a second part', multipart([image, image])],
      ['a part before', multipart([{ name: 'note', content: 'x' }, image])],
      ['a part behind', multipart([image, { name: 'note', content: 'x' }])],
      ['10,000 parts', multipart(Array.from({ length: 10_000 }, (_, index) => ({ name: `p${index}`, content: 'x' })))],
      ['no end', multipart([image], '')],
      ['half an end', multipart([image], '--xXxThe')],
      ['no boundary', multipart([image]), 'multipart/form-data'],
      ['another boundary', multipart([image]), 'multipart/form-data; boundary=other'],
      ['an empty boundary', multipart([image]), 'multipart/form-data; boundary='],
      ['garbage', randomBytes(1000)],
      ['endless headers', Buffer.concat([Buffer.from('--xXxTheBoundaryxXx\r\nX: '), Buffer.alloc(100_000, 'a')])],
    ]
    for (const [kind, body, type = multipartType] of forms) {
      const answer = await upload(server, seller, contract.addProductImage, { path: { productId }, body, type })
      assert.equal(answer.status, 400, `${kind} ${JSON.stringify(answer.body)}`)
      assert.deepEqual(Object.keys(answer.fields), ['image'], kind)
    }
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      const answer = await upload(server, seller, contract.addProductImage, { path: { productId }, body: png, type })
      assert.equal(answer.status, 415, type)
    }
    assert.equal((await addImage(seller, productId, png)).status, 200)
    const { data } = await seller.call(contract.getProduct, { path: { productId } })
    assert.equal(data.imageNames.length, 1)
  })
})

describe('DELETE /stores/{storeId}/products/{productId}/image/{fileName}', () => {
  test('the image goes from the list and from the storage, and the public form is answered', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    await addImage(seller, productId, png)
    const { body } = await addImage(seller, productId, gif)
    const [first, second] = body.data.imageNames
    const { data } = await seller.call(contract.removeProductImage, { path: { productId, fileName: first } })
    assert.deepEqual(data.imageNames, [second])
    assert.deepEqual(data.imageLinks, [`${server.platform.config.apiUrl.origin}/images/${second}`])
    assert.ok(!('webhookUrl' in data))
    await eventually(async () => (await get(`/images/${first}`)).statusCode === 404)
    await eventually(async () => (await stored(first.slice(0, 32))).length === 0)
    assert.equal((await get(`/images/${second}`)).statusCode, 200)
    // The note that it is to go is taken away after the file itself.
    await eventually(async () => {
      const doomed = await server.platform.db.selectFrom('doomedBlobs').selectAll().execute()
      return doomed.every(({ storageKey }) => !storageKey.includes(first.slice(0, 32)))
    })
  })

  test("only a name of this very product: traversal and others' names are 404", async () => {
    const seller = await aSeller(server)
    const [productId, otherId] = [await aProduct(seller), await aProduct(seller)]
    const { body } = await addImage(seller, otherId, png)
    const [foreign] = body.data.imageNames
    const names = [
      foreign,
      '../../etc/passwd',
      '..%2f..%2fetc',
      '.',
      '..',
      `images/${foreign}`,
      `${foreign}\u0000`,
      'x'.repeat(900),
    ]
    for (const fileName of names) {
      const { status } = await seller.call(contract.removeProductImage, { path: { productId, fileName } })
      assert.ok(status === 404 || (fileName.includes('\u0000') && status === 400), `${status} ${fileName}`)
    }
    assert.equal((await get(`/images/${foreign}`)).statusCode, 200)
  })

  test('a copy shares the images of its original until the last of both drops them', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const { body } = await addImage(seller, productId, png)
    const [fileName] = body.data.imageNames
    const copy = (await seller.call(contract.duplicateProduct, { path: { productId } })).data
    assert.ok(copy)
    assert.deepEqual(copy.imageNames, [fileName])
    await seller.call(contract.removeProductImage, { path: { productId, fileName } })
    assert.equal((await get(`/images/${fileName}`)).statusCode, 200)
    await seller.call(contract.removeProductImage, { path: { productId: copy.id, fileName } })
    await eventually(async () => (await get(`/images/${fileName}`)).statusCode === 404)
  })
})

describe('GET /images/{name}', () => {
  test('served immutable, under its own type, as nothing but a picture', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    const { body } = await addImage(seller, productId, png)
    const [name] = body.data.imageNames
    const answer = await get(`/images/${name}`)
    const { headers } = answer
    assert.equal(headers['content-type'], 'image/png')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /sandbox/)
    assert.equal(headers['vary'], 'Accept')
    assert.equal(headers['content-length'], String(answer.rawPayload.length))
    const head = await server.app.api.inject({ method: 'HEAD', url: `/images/${name}` })
    assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0])
  })

  test('thumbnails in three widths, WebP for whoever takes it', async () => {
    const seller = await aSeller(server)
    const { body } = await addImage(seller, await aProduct(seller), jpg)
    const [name] = body.data.imageNames
    for (const width of [160, 480, 960]) {
      const answer = await get(`/images/${name}?width=${width}`, { accept: 'image/avif,image/webp,*/*' })
      assert.equal(answer.headers['content-type'], 'image/webp')
      assert.equal((await sharp(answer.rawPayload).metadata()).width, width)
    }
    const old = await get(`/images/${name}?width=160`, { accept: 'image/png,image/*;q=0.8,*/*;q=0.5' })
    assert.equal(old.headers['content-type'], 'image/jpeg')
    assert.equal((await get(`/images/${name}?width=161`)).statusCode, 400)
  })

  test('nothing else of the storage can be reached', async () => {
    const names = [
      '..%2ffiles%2fx',
      '%2e%2e/secret.key',
      'x.png',
      `${'a'.repeat(32)}.svg`,
      `${'a'.repeat(32)}-160.webp`,
      '.unfinished',
    ]
    for (const name of names) assert.equal((await get(`/images/${name}`)).statusCode, 404, name)
  })
})

/** The header of a picture so large that nobody must decode it. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const rows = deflateSync(Buffer.alloc(10_000))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

test('one picture is stored once under each of its four keys', async () => {
  const seller = await aSeller(server)
  const { body } = await addImage(seller, await aProduct(seller), png)
  const [name] = body.data.imageNames
  const keys = await stored(name.slice(0, 32))
  assert.deepEqual(
    keys.sort(),
    ['', '-160', '-480', '-960'].map((end) => `${name.slice(0, 32)}${end}.${end ? 'webp' : 'png'}`).sort(),
  )
})

describe('PUT /stores/{storeId}/products/{productId}/images', () => {
  test('puts all images into an order; a list that is not all of them is refused', async () => {
    const seller = await aSeller(server)
    const productId = await aProduct(seller)
    await addImage(seller, productId, png)
    const { imageNames } = (await addImage(seller, productId, webp)).body.data
    const arrange = (names: string[]) =>
      seller.call(contract.arrangeProductImages, { path: { productId }, body: { imageNames: names } })
    assert.deepEqual((await arrange(imageNames.toReversed())).data.imageNames, imageNames.toReversed())
    for (const wrong of [[], [imageNames[0]], [...imageNames, `${'0'.repeat(32)}.png`]]) {
      assert.deepEqual(Object.keys((await arrange(wrong)).refused?.fields ?? {}), ['imageNames'])
    }
  })
})
