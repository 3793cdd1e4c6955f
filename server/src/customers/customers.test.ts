import * as contract from '@keystall/contract/endpoints/customers'
import { createOrder } from '@keystall/contract/endpoints/orders'
import { createProduct } from '@keystall/contract/endpoints/products'
import { appendItems } from '@keystall/contract/endpoints/items'
import { assert, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'

const server = useServer()

async function aShop() {
  const seller = await aSeller(server)
  const product = await seller.call(createProduct, { body: { name: 'Licence', cost: 0, visibility: 0 } })
  const items = Array.from({ length: 20 }, (_, index) => `A-${index}`)
  await seller.call(appendItems, { path: { productId: product.data.id }, body: { items } })
  return { seller, productId: product.data.id }
}

function order(seller: Seller, productId: string, buyer: Record<string, unknown>) {
  const items = [{ productId, quantity: 1 }]
  return seller.call(createOrder, { body: { items, gateway: 'free', emailAddress: 'a@example.com', ...buyer } })
}

describe('GET /stores/{storeId}/customers/{page}', () => {
  test('customers are listed newest first, found by the beginning of their address, and are one in any case', async () => {
    const { seller, productId } = await aShop()
    for (const emailAddress of ['anna@example.com', 'Bert@example.com', 'bert@EXAMPLE.com', '50%_off@example.com']) {
      assert.equal((await order(seller, productId, { emailAddress })).status, 200)
    }
    const { reply } = await seller.call(contract.listCustomers, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.map(({ emailAddress, orders }) => [emailAddress, orders]),
      [
        ['50%_off@example.com', 1],
        ['Bert@example.com', 2],
        ['anna@example.com', 1],
      ],
    )
    const found = async (query: string) =>
      (await seller.call(contract.searchCustomers, { path: { page: 1, query } })).reply.data.map(
        (each) => each.emailAddress,
      )
    assert.deepEqual(await found('BERT'), ['Bert@example.com'])
    assert.deepEqual(await found('50%_'), ['50%_off@example.com'])
    assert.deepEqual(await found('%'), [])
    assert.deepEqual(await found('_'), [])
  })
})

describe('PUT /stores/{storeId}/customers/{customerId}/notes', () => {
  test('notes are kept for the store alone', async () => {
    const { seller, productId } = await aShop()
    const other = await aSeller(server)
    await order(seller, productId, {})
    const [customer] = (await seller.call(contract.listCustomers, { path: { page: 1 } })).reply.data
    const path = { customerId: String(customer?.id) }
    const noted = await seller.call(contract.updateCustomerNotes, { path, body: { notes: 'pays late' } })
    assert.deepInclude(noted.data, { notes: 'pays late', isBlocked: false, orders: 1 })
    assert.equal((await seller.call(contract.getCustomer, { path })).data.notes, 'pays late')
    assert.equal((await other.call(contract.getCustomer, { path })).status, 404)
    assert.equal((await other.call(contract.updateCustomerNotes, { path, body: { notes: 'x' } })).status, 404)
  })
})

describe('POST /stores/{storeId}/blocked-customers', () => {
  test('who is blocked cannot order, until the block is lifted', async () => {
    const { seller, productId } = await aShop()
    const blocks: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ kind: 'email', value: 'Bad@Example.com' }, { emailAddress: 'bad@example.COM' }],
      [{ kind: 'email', value: '@spam.example' }, { emailAddress: 'anybody@spam.example' }],
      [{ kind: 'address', value: '203.0.113.0/24' }, { ipAddress: '203.0.113.77' }],
      [{ kind: 'address', value: '2001:db8::1' }, { ipAddress: '2001:DB8:0::1' }],
      [{ kind: 'address', value: '198.51.100.7' }, { ipAddress: '::ffff:198.51.100.7' }],
      [{ kind: 'address', value: '::ffff:198.51.100.0/120' }, { ipAddress: '198.51.100.7' }],
      [{ kind: 'country', value: 'xx' }, { countryCode: 'XX' }],
    ]
    for (const [body, buyer] of blocks) {
      const { data } = await seller.call(contract.createCustomerBlock, { body })
      assert.equal((await seller.call(contract.createCustomerBlock, { body })).status, 409)
      assert.equal((await order(seller, productId, buyer)).refused?.status, 400, JSON.stringify(buyer))
      await seller.call(contract.deleteCustomerBlock, { path: { blockId: data.id } })
      assert.equal((await order(seller, productId, buyer)).status, 200, JSON.stringify(buyer))
    }
    assert.deepEqual((await seller.call(contract.listCustomerBlocks)).data, [])
  })

  test('what cannot be blocked is refused', async () => {
    const seller = await aSeller(server)
    const bad = [
      { kind: 'email', value: 'nobody' },
      { kind: 'address', value: '300.1.1.1' },
      { kind: 'address', value: '1.1.1.1/33' },
      { kind: 'address', value: 'fe80::1%eth0' },
      { kind: 'address', value: 'fe80::1%eth0/64' },
      { kind: 'country', value: 'XXX' },
      { kind: 'name', value: 'Bert' },
    ]
    for (const body of bad) assert.equal((await seller.call(contract.createCustomerBlock, { body })).status, 400)
  })
})
