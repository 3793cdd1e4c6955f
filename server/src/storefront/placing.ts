import { setTimeout as sleep } from 'node:timers/promises'
import { CheckoutForm } from '@keystall/contract/endpoints/orders'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { buyerOf } from '#orders/buyer'
import { placeOrder } from '#orders/checkout'
import type { OrderRow } from '#orders/tables'
import { transact } from '#platform/db/transaction'
import { validate } from '#platform/http/validation'
import { visitOf } from '#platform/http/visit'
import { type Claim, claimRequest, releaseClaim, storeAnswer } from '#platform/idempotency/idempotency'
import { fromMinor } from '#platform/money/money'
import { Problem } from '#problem'
import type { BasketForm } from './basket-view.ts'
import { cameFromMarket } from './market-visit.ts'
import { referrerOf } from './referral.ts'
import type { StoreVisit } from './visit.ts'

const Placed = Type.Object({ id: Type.String(), key: Type.String() })
type Placed = Type.Static<typeof Placed>

const triesMax = 20
const tryPauseMs = 250

/** What the page said is no longer what it costs: the buyer looks again before anything happens. */
export class PriceChanged extends Problem {
  constructor() {
    super('ObjectConflict', 'The price has changed since you last saw it. Look at the new total, then place the order.')
  }
}

/** The same form sent twice makes one order, and both are led to it. */
export async function placeOnce(visit: StoreVisit, form: BasketForm): Promise<Placed> {
  const { platform, store } = visit
  const { db, secrets } = platform
  const body = orderOf(visit, form)
  const asked = { scope: `basket ${store.id}`, key: form.formKey, method: 'POST', url: '/basket', body }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const held = await claimRequest(db, secrets, asked)
      if ('answer' in held) return Value.Parse(Placed, JSON.parse(held.answer))
      return await place(visit, form, held.claim)
    } catch (error) {
      const isUnderWay = error instanceof Problem && error.code === 'ObjectConflict' && !(error instanceof PriceChanged)
      if (!isUnderWay || attempt === triesMax) throw error
      await sleep(tryPauseMs)
    }
  }
}

async function place(visit: StoreVisit, form: BasketForm, claim: Claim): Promise<Placed> {
  const { platform, store, request, speech } = visit
  const { db, secrets } = platform
  try {
    const body = orderOf(visit, form)
    validate(CheckoutForm, body)
    const buyer = {
      ...(await buyerOf(platform, visitOf(request))),
      origin: 'checkout' as const,
      actor: 'buyer',
      language: speech.language,
      isMarketplace: cameFromMarket(request),
    }
    return await placeOrder({ db, platform, store }, { request: { ...body, metadata: {} }, buyer }, (write) =>
      transact(db, async (tx) => {
        const { order } = await write(tx)
        refuseAnotherPrice(order, form)
        const placed = { id: order.id, key: order.key }
        await storeAnswer(tx, secrets, claim, JSON.stringify(placed))
        return placed
      }),
    )
  } catch (error) {
    await releaseClaim(db, claim)
    throw error
  }
}

function refuseAnotherPrice({ costMinor, currency }: OrderRow, { shownTotals, gateway }: BasketForm): void {
  if (shownTotals.get(gateway) !== `${fromMinor(costMinor, currency)} ${currency}`) throw new PriceChanged()
}

function orderOf({ request }: StoreVisit, { lines, gateway, emailAddress, couponCode, customValues }: BasketForm) {
  return {
    items: lines,
    gateway,
    emailAddress: emailAddress.trim(),
    couponCode: couponCode === '' ? null : couponCode,
    customValues: [...customValues].filter(([, value]) => value !== '').map(([key, value]) => ({ key, value })),
    returnUrl: null,
    sendReceipt: true,
    affiliateCode: referrerOf(request),
  }
}
