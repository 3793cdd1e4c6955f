import assert from 'node:assert/strict'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { newId } from '#platform/db/ids'
import { askingFor, type Credentials, type Line } from './line.ts'
import { multipart, multipartType } from './multipart.ts'

/** One of everything that a seller can have, with a word in every field that is nobody else's business. */
export interface Furnished {
  /** What a path's token stands for here. */
  ids: Record<string, string>
  orderKey: string
  /** What no stranger may ever read: the word, and the secrets that were made. */
  secrets: string[]
}

type Part = { name: string; content: string | Buffer; fileName: string }

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Furnished through the front door alone, so that it can be done to any server that runs. */
export async function furnish(
  line: Line,
  seller: Required<Pick<Credentials, 'apiKey' | 'cookie'>>,
  word: string,
): Promise<Furnished> {
  const ids: Record<string, string> = {}
  const secrets = [word]
  const make = (endpoint: Endpoint, body?: unknown, as: Credentials = { apiKey: seller.apiKey }) =>
    succeed(line, endpoint, { path: ids, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }, as)
  const send = (endpoint: Endpoint, part: Part, as: Credentials = { apiKey: seller.apiKey }) =>
    succeed(line, endpoint, { path: ids, body: multipart([part]), headers: { 'content-type': multipartType } }, as)

  const store = await make(endpoints.createStore, {
    name: 'Furnished',
    url: `furnished${newId().slice(-8)}`,
    affiliatePercentage: 10,
  })
  ids['storeId'] = store.id
  ids['storeUrl'] = store.url
  secrets.push(store.webhookSecret)
  await furnishProducts()
  await furnishSettings()
  await furnishOrder()
  await furnishAccount()
  return { ids, orderKey: ids['orderKey'] ?? '', secrets: secrets.filter((secret) => secret !== '') }

  async function furnishProducts(): Promise<void> {
    const shown = { cost: 5, visibility: 0, webhookUrl: `https://hooks.example/${word}` }
    const product = await make(endpoints.createProduct, { ...shown, name: 'Shown' })
    ids['productId'] = product.id
    await make(endpoints.appendItems, { items: Array.from({ length: 40 }, (_, item) => `${word} item ${item}`) })
    const file = { name: 'file', content: `${word} file`, fileName: `${word}.txt` }
    const filed = await send(endpoints.replaceProductFile, file)
    ids['fileId'] = filed.files[0].id
    const pictured = await send(endpoints.addProductImage, { name: 'image', content: png, fileName: 'a.png' })
    ids['fileName'] = pictured.imageNames[0]
    const begun = await make(endpoints.beginFileUpload, { fileName: `${word}.zip`, bytes: 100 })
    ids['uploadId'] = begun.id
    const hidden = { name: `Hidden ${word}`.slice(0, 64), cost: 5, visibility: 2, description: word }
    ids['hiddenProductId'] = (await make(endpoints.createProduct, hidden)).id
    ids['groupId'] = (await make(endpoints.createProductGroup, { name: 'Group' })).id
    await make(endpoints.addProductToGroup)
    const renewed = { ...shown, name: 'By the month', type: 1, subscriptionPeriod: 'P1M' }
    const subscribed = String((await make(endpoints.createProduct, renewed)).id)
    ids['subscribedProductId'] = subscribed
    const path = { ...ids, productId: subscribed }
    const items = JSON.stringify({ items: Array.from({ length: 40 }, (_, item) => `${word} month ${item}`) })
    await succeed(line, endpoints.appendItems, { path, body: items }, { apiKey: seller.apiKey })
  }

  async function furnishSettings(): Promise<void> {
    const coupon = { name: `C${word}`.slice(0, 25), percentageDecrease: 1 }
    ids['couponId'] = (await make(endpoints.createCoupon, coupon)).id
    ids['faqId'] = (await make(endpoints.addFaqEntry, { title: 'Why', description: 'Because' })).id
    const webhook = { url: `https://hooks.example/all/${word}`, description: word, isEnabled: false }
    ids['webhookId'] = (await make(endpoints.createWebhook, webhook)).id
    const block = { kind: 'email', value: `blocked-${word}@example.com`, reason: word }
    ids['blockId'] = (await make(endpoints.createCustomerBlock, block)).id
    await make(endpoints.updateCannedReplies, { replies: [{ title: word.slice(0, 60), message: word }] })
    const invitation = { emailAddress: `invited-${word}@example.com`, scopes: ['ViewStores'] }
    ids['invitationId'] = (await make(endpoints.inviteMember, invitation)).id
    ids['method'] = 'transfer'
    const settings = { email: `paid-${word}@example.com`, words: `words ${word}` }
    await make(endpoints.savePaymentSettings, { settings, isEnabled: true })
  }

  async function furnishOrder(): Promise<void> {
    const buyer = `buyer-${word}@example.com`
    const items = ['productId', 'subscribedProductId'].map((name) => ({ productId: ids[name], quantity: 1 }))
    const form = { items, gateway: 'test', emailAddress: buyer, metadata: { note: word }, userAgent: word }
    const { order } = (await make(endpoints.createOrder, form))[0]
    Object.assign(ids, { orderId: order.id, orderKey: order.key, customerId: order.customer.id, query: buyer })
    secrets.push(order.key)
    const own = { orderKey: order.key }
    await make(endpoints.payOrderAsTest, { outcome: 'paid' }, own)
    ids['itemId'] = (await make(endpoints.listDeliveredItems))[0].id
    ids['subscriptionId'] = (await make(endpoints.listOwnSubscriptions, undefined, own))[0].id
    const attachment = { name: 'file', content: `attached ${word}`, fileName: `${word}.txt` }
    ids['attachmentId'] = (await send(endpoints.attachToOwnTicket, attachment, own)).id
    const ticket = { subject: word.slice(0, 100), message: word, attachmentIds: [ids['attachmentId']] }
    ids['ticketId'] = (await make(endpoints.openTicket, ticket, own)).id
    const review = { productId: ids['productId'], rating: 5, reason: 'Good' }
    ids['reviewId'] = (await make(endpoints.reviewProduct, review, own)).id
    await make(endpoints.flagReview, { reason: word })
    await make(endpoints.updateCustomerNotes, { notes: word })
    await make(endpoints.grantCredit, { amount: 1, reason: word })
    await make(endpoints.becomeAffiliate, undefined, own)
    const report = { type: 'fraud', reason: word, emailAddress: buyer }
    await make(endpoints.reportStore, report, {})
    const byHand = { ...form, gateway: 'transfer' }
    const claimed = (await make(endpoints.createOrder, byHand))[0].order
    const path = { ...ids, orderId: claimed.id }
    const body = multipart([{ name: 'file', content: png, fileName: `${word}.png` }])
    const headers = { 'content-type': multipartType }
    await succeed(line, endpoints.attachProof, { path, body, headers }, { orderKey: claimed.key })
    const { proofs } = await succeed(line, endpoints.getPaymentByHand, { path }, { apiKey: seller.apiKey })
    Object.assign(ids, { claimedOrderId: claimed.id, proofId: proofs[0].id })
    secrets.push(claimed.key)
  }

  async function furnishAccount(): Promise<void> {
    const app = { name: 'Furnished', redirectUrls: ['https://app.example/cb'], scopes: ['ViewUser'] }
    const made = await make(endpoints.createApp, app, seller)
    ids['appId'] = made.app.id
    secrets.push(made.clientSecret)
    const key = await make(endpoints.createKey, { label: word.slice(0, 60), scopes: ['ViewUser'] }, seller)
    ids['keyId'] = key.key.id
    secrets.push(key.apiKey)
    ids['sessionId'] = (await make(endpoints.listSessions, undefined, seller))[0].id
    const { userName } = await make(endpoints.getAccount, undefined, seller)
    await make(endpoints.updateProfile, { userName, chatWebhookUrl: `https://chat.example/${word}` }, seller)
    const { id } = await make(endpoints.getUser)
    Object.assign(ids, { userId: id, memberId: id })
  }
}

/** The path's tokens. Proofs belong to the order that was paid by hand. */
export function pathIn({ ids }: Furnished, { path }: Endpoint): Record<string, string> {
  const orderId = (path.includes('{proofId}') ? ids['claimedOrderId'] : ids['orderId']) ?? ''
  return { page: '1', timeStr: '30d', code: 'x', ...ids, orderId }
}

/** What the envelope carries. Typed loosely: it is read once, right where its shape is known. */
async function succeed(line: Line, endpoint: Endpoint, input: Parameters<typeof askingFor>[2], as: Credentials) {
  const heard = await line.ask(askingFor(line.address, endpoint, input, as))
  assert.equal(heard.status, 200, `${endpoint.method} ${endpoint.path}: ${heard.text}`)
  return Object(JSON.parse(heard.text))['data']
}
