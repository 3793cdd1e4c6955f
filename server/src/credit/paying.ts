import { randomInt } from 'node:crypto'
import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { isMailAddress } from '#platform/mail/address'
import { layout } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import { hashToken, isSameSecret } from '#platform/secrets/tokens'
import { conflict, invalid, tooMany } from '#problem'
import type { OrderRow } from '#orders/tables'
import type { StoreRow } from '#stores/tables'
import { creditOf, moveCredit } from './credit.ts'
import { endCode, isRefusedByProduct, selectBalance, takeTry, upsertCode } from './queries.ts'

const codeMinutes = 10
const triesMax = 5
const sentMax = 5
const method = 'balance'

/** What credit needs of orders, whom it may not know. */
export interface CreditTill {
  /** Locks the order; what is left to pay of it. */
  due(cashing: { tx: Tx; platform: Platform; store: StoreRow; actor: string | null }, orderId: string): Promise<number>
  receive(
    cashing: { tx: Tx; platform: Platform; store: StoreRow; actor: string | null },
    orderId: string,
    cash: { gateway: string; externalId: string; amountMinor: number; currency: string },
  ): Promise<void>
}

interface Buying {
  platform: Platform
  store: StoreRow
  order: OrderRow
  emailAddress: string
  /** Whether the store takes credit now. */
  isTaken: boolean
}

/**
 * Whoever ordered may have typed any address: only who reads its mail may spend its credit. The answer is the same whether
 * there is credit or not.
 */
export async function sendCreditCode({ platform, store, order, emailAddress, isTaken }: Buying): Promise<void> {
  await refuseUnlessTaken(platform, order, isTaken)
  const { storeId, id: orderId, customerId, currency } = order
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  await transact(platform.db, async (tx) => {
    const codeHash = hashToken(`${orderId} ${code}`)
    const isSent = await upsertCode(tx, { storeId, orderId }, { codeHash, minutes: codeMinutes, sentMax })
    if (!isSent) throw tooMany(3600)
    const balanceMinor = await selectBalance(tx, { storeId, customerId, currency })
    if (balanceMinor > 0 && isMailAddress(emailAddress)) await mailCode(tx, store, emailAddress, code)
  })
}

/** Pays as much of the order as there is credit; an order that is to be paid by credit alone, all of it. */
export async function payWithCredit(till: CreditTill, buying: Buying, code: string): Promise<void> {
  const { platform, store, order, isTaken } = buying
  await refuseUnlessTaken(platform, order, isTaken)
  const { storeId, id: orderId, customerId, currency } = order
  const codeHash = await transact(platform.db, (tx) => takeTry(tx, { storeId, orderId }, { triesMax }))
  if (!codeHash || !isSameSecret(codeHash, hashToken(`${orderId} ${code}`))) {
    throw invalid({ code: 'is wrong or too old: ask for a new one' })
  }
  await transact(platform.db, async (tx) => {
    const cashing = { tx, platform, store, actor: 'buyer' }
    const dueMinor = await till.due(cashing, orderId)
    if (dueMinor <= 0) throw conflict('Nothing is to be paid for this order')
    const balanceMinor = await creditOf(tx, { storeId, customerId, currency })
    const amountMinor = Math.min(balanceMinor, dueMinor)
    if (amountMinor === 0) throw conflict('There is no store credit')
    if (order.gateway === method && amountMinor < dueMinor) throw conflict('There is not enough store credit')
    const entry = await moveCredit(
      tx,
      { storeId, customerId, currency },
      { kind: 'spent', amountMinor: -amountMinor, orderId, externalId: null, reason: null, actor: 'buyer' },
    )
    await till.receive(cashing, orderId, { gateway: method, externalId: entry.id, amountMinor, currency })
    await endCode(tx, { storeId, orderId })
  })
}

async function refuseUnlessTaken({ db }: Platform, order: OrderRow, isTaken: boolean): Promise<void> {
  if (!isTaken) throw conflict('The store does not take store credit')
  const isOpen = order.paidAt === null && (order.status === 'Incomplete' || order.status === 'PartiallyPaid')
  if (!isOpen) throw conflict('Nothing is to be paid for this order')
  const { storeId, id: orderId } = order
  if (await isRefusedByProduct(db, { storeId, orderId, method }))
    throw conflict('A product of this order cannot be paid with store credit')
}

function mailCode(tx: Tx, store: StoreRow, to: string, code: string): Promise<void> {
  const name = store.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return mailLater(tx, {
    to,
    subject: `${code} is your code for ${name}`,
    ...layout({
      title: 'Pay with your store credit',
      paragraphs: ['Type this code on the page of your order:', { code }, `It is good for ${codeMinutes} minutes.`],
      footer: `You get this because somebody wants to spend your credit at ${name}. If it was not you, do nothing.`,
      sender: store.name,
    }),
  })
}
