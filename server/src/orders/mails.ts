import type { Tx } from '#platform/db/database'
import { isMailAddress } from '#platform/mail/address'
import { layout } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import type { Change } from './change.ts'
import { openDelivered } from './delivered.ts'
import { orderPage } from './order-page.ts'
import { speechOfOrder } from './order-language.ts'
import { particularsOf } from './particulars.ts'
import type { OrderRow } from './tables.ts'

/** Longer deliveries are read on the order's page. */
const mailedCharactersMax = 100_000

export interface Contents {
  items: readonly string[]
  fileNames: readonly string[]
}

/**
 * What was delivered, and the way to the order's page; nothing when the buyer wanted no mail. `known` is for callers that
 * have just read what there is.
 */
export async function mailDeliveryLater(
  { tx, platform, store }: Change,
  order: OrderRow,
  known?: () => Contents,
): Promise<void> {
  if (!order.shouldSendReceipt) return
  const { emailAddress, lines, messages, activeDomain } = await particularsOf(tx, order)
  if (!isMailAddress(emailAddress)) return
  const { items, fileNames } = known ? known() : await contentsOf(tx, platform, order)
  const text = store.areItemsMailed ? items.join('\n') : ''
  const { say, language } = speechOfOrder(order)
  const title = say('mailOrderSubject', { store: oneLine(store.name) })
  await mailLater(tx, {
    to: emailAddress,
    subject: store.prependProductNameToReceipt ? `${oneLine(lines[0]?.name ?? '')}: ${title}` : title,
    ...layout({
      language,
      title: say('mailOrderTitle'),
      paragraphs: [
        lines.map(({ name }) => name).join(', '),
        ...(text === '' || text.length > mailedCharactersMax ? [] : [{ code: text }]),
        ...fileNames.map((file) => say('mailFileReady', { file })),
        ...messages,
      ],
      button: { label: say('mailOpenOrder'), url: orderPage(platform.config, { url: store.url, activeDomain }, order) },
      footer: say('mailOrderFooter', { store: store.name }),
      sender: store.name,
    }),
  })
}

async function contentsOf(tx: Tx, platform: Platform, order: OrderRow): Promise<Contents> {
  const { items, files } = await openDelivered(tx, platform, order)
  return { items, fileNames: files.map(({ friendlyName }) => friendlyName) }
}

export async function resendDeliveryMail(change: Change, order: OrderRow): Promise<void> {
  if (order.deliveredAt === null) throw conflict('The order is not delivered')
  await mailDeliveryLater(change, { ...order, shouldSendReceipt: true })
}

/** The seller hears of a paid order that could not be handed over. */
export function mailSellerLater(change: Change, order: OrderRow, reason: string): Promise<void> {
  const title = 'An order could not be delivered'
  return mailOwnerLater(change, order, { title, paragraphs: [reason, 'Deliver it again, or refund it.'] })
}

export function mailFailedRefundLater(change: Change, order: OrderRow, reason: string): Promise<void> {
  return mailOwnerLater(change, order, { title: 'A refund could not be made', paragraphs: [reason] })
}

export function mailClaimLater(change: Change, order: OrderRow, note: string | null): Promise<void> {
  const paragraphs = ['Look whether the money came, then confirm or reject the payment.']
  const words = note === null ? paragraphs : [`The buyer writes: ${note}`, ...paragraphs]
  return mailOwnerLater(change, order, { title: 'A buyer says that an order is paid', paragraphs: words })
}

/** The buyer hears that the seller did not find the payment. */
export async function mailRejectedLater(
  { tx, platform, store }: Change,
  order: OrderRow,
  reason: string | null,
): Promise<void> {
  const { emailAddress, activeDomain } = await particularsOf(tx, order)
  if (!isMailAddress(emailAddress)) return
  await mailLater(tx, {
    to: emailAddress,
    subject: `Your payment to ${oneLine(store.name)} was not found`,
    ...layout({
      title: 'Your payment was not found',
      paragraphs: [reason ?? 'The seller did not find your payment.', 'Look at your order, or write to the seller.'],
      button: { label: 'Open your order', url: orderPage(platform.config, { url: store.url, activeDomain }, order) },
      footer: `You get this because you ordered from ${store.name}. Keep the link to yourself: it opens your order.`,
      sender: store.name,
    }),
  })
}

/** A link to pay the next period. */
export function mailRenewalLater(change: Change, order: OrderRow, { endsAt }: { endsAt: Date }): Promise<void> {
  const date = endsAt.toISOString().slice(0, 10)
  return mailBuyerLater(change, order, {
    title: 'Your subscription is to be renewed',
    paragraphs: [`It is paid until ${date}. Pay the next period to keep it.`],
  })
}

export function mailSubscriptionEndedLater(change: Change, order: OrderRow): Promise<void> {
  return mailBuyerLater(change, order, {
    title: 'Your subscription has ended',
    paragraphs: ['It was not renewed, and its downloads no longer work. You can buy it again at any time.'],
  })
}

/** The order that paid for it was refunded whole. */
export function mailSubscriptionRefundedLater(
  change: Change,
  order: OrderRow,
  { endsAt }: { endsAt: Date },
): Promise<void> {
  const isOver = endsAt.getTime() <= Date.now()
  const until = isOver ? 'It has ended' : `What you paid otherwise lasts until ${endsAt.toISOString().slice(0, 10)}`
  return mailBuyerLater(change, order, {
    title: 'Your subscription is cancelled',
    paragraphs: [`Your payment was refunded, and nothing will be renewed. ${until}.`],
  })
}

export function mailRenewalFailedLater(change: Change, order: OrderRow, reason: string): Promise<void> {
  return mailOwnerLater(change, order, { title: 'A subscription could not be renewed', paragraphs: [reason] })
}

async function mailBuyerLater(
  { tx, platform, store }: Change,
  order: OrderRow,
  { title, paragraphs }: { title: string; paragraphs: string[] },
): Promise<void> {
  const { emailAddress, lines, activeDomain } = await particularsOf(tx, order)
  if (!isMailAddress(emailAddress)) return
  await mailLater(tx, {
    to: emailAddress,
    subject: `${title}: ${oneLine(store.name)}`,
    ...layout({
      title,
      paragraphs: [lines.map(({ name }) => name).join(', '), ...paragraphs],
      button: { label: 'Open your order', url: orderPage(platform.config, { url: store.url, activeDomain }, order) },
      footer: `You get this because you subscribed at ${store.name}. Keep the link to yourself: it opens your order.`,
      sender: store.name,
    }),
  })
}

async function mailOwnerLater(
  { tx, platform, store }: Change,
  order: OrderRow,
  { title, paragraphs }: { title: string; paragraphs: string[] },
): Promise<void> {
  const { sellerAddress, emailAddress } = await particularsOf(tx, order)
  if (sellerAddress === null || !isMailAddress(sellerAddress)) return
  await mailLater(tx, {
    to: sellerAddress,
    subject: `${title}: ${oneLine(store.name)}`,
    ...layout({
      title,
      paragraphs: [`Order ${order.id} of ${emailAddress}.`, ...paragraphs],
      button: {
        label: 'Open the order',
        url: `${platform.config.dashUrl.origin}/stores/${store.id}/orders/${order.id}`,
      },
      footer: `You get this because you own the store ${store.name}.`,
    }),
  })
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
