import * as credit from '@keystall/contract/endpoints/credit'
import * as contract from '@keystall/contract/endpoints/payments'
import { discardProof, keepProof, proofBytesMax, storeProof } from '#payments/proof'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { readUpload } from '#platform/http/uploads'
import { conflict } from '#problem'
import { presentBuyerOrder } from '#views/buyer-order'
import { presentOrderById } from '#views/order'
import { claimPayment, confirmPayment, rejectPayment } from './claim.ts'
import { mailCreditCode, spendCredit } from './credit-payment.ts'
import { inTurn } from './turns.ts'

export const claimRoutes: Implementation[] = [
  implement(credit.sendCreditCode, async ({ platform, store, order }) => {
    await mailCreditCode(platform, store, order)
    return ok(null, 'If there is credit, a code is on its way by mail')
  }),

  implement(credit.spendCredit, async ({ db, platform, store, order, body }) => {
    const paid = await inTurn(() => spendCredit(platform, store, { order, code: body.code }))
    return ok(await presentBuyerOrder(db, platform, store, paid))
  }),

  implement(contract.claimPayment, ({ platform, store, order, body, once }) =>
    once(async (tx) => {
      const claimed = await claimPayment({ tx, platform, store, actor: 'buyer' }, order, body.note)
      return ok(await presentBuyerOrder(tx, platform, store, claimed), 'The seller has been told')
    }),
  ),

  implement(contract.attachProof, async ({ db, platform, order, request, reply }) => {
    if (order.paidAt !== null) throw conflict('The order is paid')
    const proof = await readUpload(request, reply, {
      part: 'file',
      bytesMax: proofBytesMax,
      take: (part) => storeProof(platform, order, part),
      drop: (stored) => discardProof(platform, stored),
    })
    await transact(db, (tx) => keepProof(tx, proof))
    return ok(null, 'The proof is attached')
  }),

  implement(contract.confirmPayment, ({ platform, store, rights, order, caller, body, once }) =>
    inTurn(() =>
      once(async (tx) => {
        const paid = await confirmPayment({ tx, platform, store, actor: caller.userName }, order, body)
        return ok(await presentOrderById(tx, platform, { store, rights }, paid), 'The payment is confirmed')
      }),
    ),
  ),

  implement(contract.rejectPayment, async ({ db, platform, store, rights, order, caller, body }) =>
    transact(db, async (tx) => {
      const open = await rejectPayment({ tx, platform, store, actor: caller.userName }, order, body.reason)
      return ok(await presentOrderById(tx, platform, { store, rights }, open), 'The payment is rejected')
    }),
  ),
]
