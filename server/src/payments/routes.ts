import * as contract from '@keystall/contract/endpoints/payments'
import { sendFile } from '#platform/http/downloads'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { fromMinor } from '#platform/money/money'
import { orderCode } from './by-hand.ts'
import { listClaims } from './claim.ts'
import { methodNamed } from './methods.ts'
import { listProofs, loadProof } from './proof.ts'

export const paymentRoutes: Implementation[] = [
  implement(contract.getPaymentByHand, async ({ db, order }) => {
    const [claims, proofs] = await Promise.all([listClaims(db, order), listProofs(db, order)])
    const isByHand = methodNamed(order.gateway)?.isByHand === true
    return ok({
      canBeConfirmed: isByHand && order.paidAt === null,
      code: isByHand ? orderCode(order) : null,
      due: order.paidAt === null ? fromMinor(Math.max(0, order.costMinor - order.paidMinor), order.currency) : 0,
      claims,
      proofs: proofs.map(({ bytes, ...proof }) => ({ ...proof, size: bytes })),
    })
  }),

  implement(contract.downloadProof, async ({ db, platform, order, path, request, reply }) =>
    sendFile(reply, platform, await loadProof(db, order, path.proofId), request),
  ),
]
