import assert from 'node:assert/strict'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { newId } from '#platform/db/ids'
import { askingFor, type Credentials, type Line } from './line.ts'
import { multipart, multipartType } from './multipart.ts'
import type { Shape } from './shape.ts'
import { holdsOneOf, textsIn } from './texts.ts'

/** One of everything that a seller can have, with a word in every field that is nobody else's business. */
export interface Furnished {
  /** What a path's token stands for here. */
  ids: Record<string, string>
  orderKey: string
  /** What no stranger may ever read: the word, and the secrets that were made. */
  secrets: string[]
  /** The fields of forms in which one of them was written. */
  planted: Set<Shape>
}

type Part = { name: string; content: string | Buffer; fileName: string }

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Words do not fit there. */
const addresses = { ofBuyer: '2001:db8:ca7a::77', ofKey: '2001:db8:ca7a:17::/64' }

/** Furnished through the front door alone, so that it can be done to any server that runs. */
export async function furnish(
  line: Line,
  seller: Required<Pick<Credentials, 'apiKey' | 'cookie'>>,
  word: string,
  { preferredCurrency = 'USD' }: { preferredCurrency?: string } = {},
): Promise<Furnished> {
  const ids: Record<string, string> = {}
  const furnished: Furnished = {
    ids,
    orderKey: '',
    secrets: [word, ...Object.values(addresses)],
    planted: new Set(),
  }
  const { secrets } = furnished
  const make = (endpoint: Endpoint, body?: unknown, as: Credentials = { apiKey: seller.apiKey }, path = ids) =>
    plant(line, { ...furnished, ids: path }, endpoint, body, as)
  const send = (endpoint: Endpoint, part: Part, as: Credentials = { apiKey: seller.apiKey }, path = ids) =>
    succeed(line, endpoint, { path, body: multipart([part]), headers: { 'content-type': multipartType } }, as)

  const store = await make(endpoints.createStore, {
    name: 'Furnished',
    url: `furnished${newId().slice(-8)}`,
    affiliatePercentage: 10,
    preferredCurrency,
  })
  ids['storeId'] = store.id
  ids['storeUrl'] = store.url
  secrets.push(store.webhookSecret)
  await furnishProducts()
  await furnishSettings()
  await furnishOrder()
  await furnishClaim()
  await furnishRefund()
  await furnishAccount()
  return { ...furnished, orderKey: ids['orderKey'] ?? '', secrets: secrets.filter((secret) => secret !== '') }

  async function furnishProducts(): Promise<void> {
    const shown = { cost: 500, visibility: 0, webhookUrl: `https://hooks.example/${word}` }
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
    const words = { description: word, deliveryMessage: word, tags: [word], customValueKeys: [word] }
    const hidden = { ...words, name: `Hidden ${word}`.slice(0, 64), cost: 5, visibility: 2 }
    ids['hiddenProductId'] = (await make(endpoints.createProduct, hidden)).id
    ids['groupId'] = (await make(endpoints.createProductGroup, { name: 'Group' })).id
    await make(endpoints.addProductToGroup)
    const renewed = { ...shown, name: 'By the month', type: 1, subscriptionPeriod: 'P1M' }
    ids['subscribedProductId'] = (await make(endpoints.createProduct, renewed)).id
    const asking = { ...shown, name: 'For an account', customValueKeys: ['Account'] }
    ids['askingProductId'] = (await make(endpoints.createProduct, asking)).id
    for (const name of ['subscribedProductId', 'askingProductId']) {
      const items = Array.from({ length: 40 }, (_, item) => `${word} ${name} ${item}`)
      await make(endpoints.appendItems, { items }, undefined, { ...ids, productId: ids[name] ?? '' })
    }
  }

  async function furnishSettings(): Promise<void> {
    const coupon = { name: `C${word}`.slice(0, 25), percentageDecrease: 1 }
    const { id: couponId, name: couponCode } = await make(endpoints.createCoupon, coupon)
    Object.assign(ids, { couponId, couponCode })
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
    await make(endpoints.setCustomDomain, { domain: `${word}.example` })
    const records = await make(endpoints.listCustomDomainRecords)
    const proofs = records.map(Object).filter(({ type }: { type: string }) => type === 'TXT')
    secrets.push(...proofs.map(({ value }: { value: string }) => value))
  }

  async function furnishOrder(): Promise<void> {
    const buyer = `buyer-${word}@example.com`
    const one = (name: string) => ({ productId: ids[name], quantity: 1 })
    const items = ['productId', 'subscribedProductId', 'askingProductId'].map(one)
    const form = {
      ...{ items, gateway: 'test', emailAddress: buyer, metadata: { note: word }, userAgent: word },
      ...{ couponCode: ids['couponCode'], customValues: [{ key: 'Account', value: `account ${word}` }] },
      ...{ returnUrl: `https://shop.example/${word}`, ipAddress: addresses.ofBuyer },
    }
    const { order } = (await make(endpoints.createOrder, form))[0]
    Object.assign(ids, { orderId: order.id, orderKey: order.key, customerId: order.customer.id, query: buyer })
    secrets.push(order.key)
    const own = { orderKey: order.key }
    await make(endpoints.payOrderAsTest, { outcome: 'paid' }, own)
    ids['affiliateCode'] = (await make(endpoints.becomeAffiliate, undefined, own)).code
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
    await make(endpoints.replyToOwnTicket, { message: `asked again ${word}` }, own)
    await make(endpoints.replyToTicket, { message: `answered ${word}` })
    const about = { orderId: order.id, orderKey: order.key, emailAddress: buyer }
    await make(endpoints.reportStore, { type: 'fraud', reason: word, ...about }, {})
  }

  async function furnishClaim(): Promise<void> {
    const items = [{ productId: ids['productId'], quantity: 1 }]
    const form = { items, gateway: 'transfer', emailAddress: `claims-${word}@example.com` }
    const { order } = (await make(endpoints.createOrder, form))[0]
    secrets.push(order.key)
    const path = { ...ids, orderId: order.id }
    const own = { orderKey: order.key }
    await send(endpoints.attachProof, { name: 'file', content: png, fileName: `${word}.png` }, own, path)
    const { proofs } = await make(endpoints.getPaymentByHand, undefined, undefined, path)
    Object.assign(ids, { claimedOrderId: order.id, claimedOrderKey: order.key, proofId: proofs[0].id })
    await make(endpoints.claimPayment, { note: `claimed ${word}` }, own, path)
    await make(endpoints.rejectPayment, { reason: `rejected ${word}` }, undefined, path)
  }

  /** Somebody came by the link of the first buyer, who was paid for it, and took the money back. */
  async function furnishRefund(): Promise<void> {
    const items = [{ productId: ids['productId'], quantity: 1 }]
    const { affiliateCode } = ids
    const form = { items, gateway: 'test', emailAddress: `came-${word}@example.com`, affiliateCode }
    const { order } = (await make(endpoints.createOrder, form))[0]
    secrets.push(order.key)
    const path = { ...ids, orderId: order.id }
    await make(endpoints.payOrderAsTest, { outcome: 'paid' }, { orderKey: order.key }, path)
    await make(endpoints.payOutAffiliate, { currency: preferredCurrency, amount: 10, note: `paid out ${word}` })
    await make(endpoints.refundOrder, { reason: `refunded ${word}` }, undefined, path)
  }

  async function furnishAccount(): Promise<void> {
    const app = {
      name: 'Furnished',
      redirectUrls: ['https://app.example/cb', `https://app.example/cb/${word}`],
      scopes: ['ViewUser'],
    }
    const made = await make(endpoints.createApp, app, seller)
    ids['appId'] = made.app.id
    secrets.push(made.clientSecret)
    const limits = { scopes: ['ViewUser'], allowedAddresses: [addresses.ofKey] }
    const key = await make(endpoints.createKey, { label: word.slice(0, 60), ...limits }, seller)
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

/** Writes a form, and remembers in which of its fields a secret stands. */
export function plant(
  line: Line,
  { ids, secrets, planted }: Pick<Furnished, 'ids' | 'secrets' | 'planted'>,
  endpoint: Endpoint,
  form: unknown,
  as: Credentials,
) {
  for (const { shape, values } of textsIn(Object(endpoint.body), [form])) {
    if (holdsOneOf(secrets, values)) planted.add(shape)
  }
  return succeed(line, endpoint, { path: ids, ...(form === undefined ? {} : { body: JSON.stringify(form) }) }, as)
}

/** What the envelope carries. Typed loosely: it is read once, right where its shape is known. */
async function succeed(line: Line, endpoint: Endpoint, input: Parameters<typeof askingFor>[2], as: Credentials) {
  const heard = await line.ask(askingFor(line.address, endpoint, input, as))
  assert.equal(heard.status, 200, `${endpoint.method} ${endpoint.path}: ${heard.text}`)
  return Object(JSON.parse(heard.text))['data']
}
