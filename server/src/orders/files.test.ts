import assert from 'node:assert/strict'
import * as buyers from '@keystall/contract/endpoints/checkout'
import { appendItems } from '@keystall/contract/endpoints/items'
import { refundOrder } from '@keystall/contract/endpoints/orders'
import { removeProductFile, replaceProductFile } from '@keystall/contract/endpoints/products'
import { describe, test } from 'vitest'
import type { Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { multipart, upload } from '#test/multipart'
import { anOrder, aProduct, aShop, pay, view } from '#test/shop'

const server = useServer()

async function putFile(seller: Seller, productId: string, content: string): Promise<string> {
  const body = multipart([{ name: 'file', content, fileName: 'setup.zip' }])
  const uploaded = await upload(server, seller, replaceProductFile, { path: { productId }, body })
  assert.equal(uploaded.status, 200, JSON.stringify(uploaded.body))
  return uploaded.body.data.files[0].id
}

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return server.app.api.inject({ method, url: url.replace(server.platform.config.apiUrl.origin, ''), headers })
}

describe(`GET ${buyers.downloadOrderFile.path}`, () => {
  test('a file is delivered as a link that is checked on every request', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller)
    await putFile(seller, product.id, '0123456789')
    const order = await anOrder(seller, product)
    assert.deepEqual((await view(server, order)).data.files, [])

    const { data } = await pay(server, order)
    const url = data.files[0]?.url ?? ''
    assert.equal(data.status, 'Delivered')
    assert.equal(data.deliveredItem, url)
    assert.equal(data.files[0]?.friendlyName, 'setup.zip')

    const whole = await get(url)
    const part = await get(url, { range: 'bytes=2-4' })
    assert.equal(whole.body, '0123456789')
    assert.match(String(whole.headers['content-disposition']), /^attachment/)
    assert.deepEqual([part.statusCode, part.body], [206, '234'])
    assert.equal((await get(url, { range: 'bytes=99-' })).statusCode, 416)
    assert.equal((await get(url.replace(/key=.*/, 'key=wrong'))).statusCode, 404)
    const lines = await server.platform.db
      .selectFrom('orderLines')
      .where('storeId', '=', seller.storeId)
      .select('fileDownloads')
      .execute()
    assert.deepEqual(lines, [{ fileDownloads: 2 }], 'what is refused is not counted')
  })

  test('a replaced, removed or refunded file is gone at the next request', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller)
    await putFile(seller, product.id, 'first')
    const order = await anOrder(seller, product)
    const old = (await pay(server, order)).data.files[0]?.url ?? ''

    const fileId = await putFile(seller, product.id, 'second')
    assert.equal((await get(old)).statusCode, 404)
    assert.equal((await get(old, { range: 'bytes=0-1' })).statusCode, 404)
    const now = (await view(server, order)).data.files[0]?.url ?? ''
    assert.equal((await get(now)).body, 'second')

    await seller.call(removeProductFile, { path: { productId: product.id, fileId } })
    assert.equal((await get(now)).statusCode, 404)
    assert.equal((await get(now, {}, 'HEAD')).statusCode, 404)
    assert.deepEqual((await view(server, order)).data.files, [])

    const again = await putFile(seller, product.id, 'third')
    const url = (await view(server, order)).data.files[0]?.url ?? ''
    assert.ok(url.includes(again))
    await seller.call(refundOrder, { path: { orderId: order.id }, body: {} })
    assert.equal((await get(url)).statusCode, 404)
  })

  test('software with a file and keys gives both, and is sold out with its keys', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller)
    await putFile(seller, product.id, 'setup')
    await seller.call(appendItems, { path: { productId: product.id }, body: { items: ['KEY-1'] } })
    const order = await anOrder(seller, product)
    const { data } = await pay(server, order)
    assert.equal(data.deliveredItem, `KEY-1\n${data.files[0]?.url}`)
    await assert.rejects(anOrder(seller, product), /out of stock/)
  })
})
