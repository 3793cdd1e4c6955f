import { getSweep, startSweep } from '../../contract/src/endpoints/payment-methods.ts'
import { unitsOf } from '../../server/src/payments/chain/amounts.ts'
import { askingFor } from '../../server/test/line.ts'
import { type Annex, sellersPassword } from '../tools/annex.ts'
import type { Bought } from '../tools/buyers.ts'
import { answered } from '../tools/requests.ts'
import { beginToPay, type Coin, placeOrder, until, untilOrderIs } from '../tools/telling.ts'

/** Bought with bitcoin, and with litecoin. */
export async function coinsPaid(annex: Annex): Promise<void> {
  const { coins } = annex.outside
  const orders: Bought[] = []
  for (const gateway of ['bitcoin', 'litecoin'] as const) {
    const order = await placeOrder(annex, { gateway, emailAddress: `${gateway}@example.com` })
    const { address, amount } = await beginToPay(annex, order)
    await coins.pay(address, Number(amount))
    orders.push(order)
  }
  await coins.mine()
  for (const order of orders) await untilOrderIs(annex, order, 'Delivered')
}

const decimals = { ethereum: 18, usdc: 6 }

/** Bought with ether, and with the token; then the seller sends both on, and each arrives once. */
export async function etherSentOn(annex: Annex): Promise<void> {
  await Promise.all((['ethereum', 'usdc'] as const).map((gateway) => paid(annex, gateway)))
  await feed(annex)
  const sent = await Promise.all([
    sendOn(annex, 'ethereum', `0x${'9'.repeat(39)}1`),
    sendOn(annex, 'usdc', `0x${'9'.repeat(39)}2`),
  ])
  annex.expected.set('coins sent on', async () => (await Promise.all(sent.map((isThere) => isThere()))).every(Boolean))
}

async function paid(annex: Annex, gateway: 'ethereum' | 'usdc'): Promise<void> {
  const { ethereum } = annex.outside
  const order = await placeOrder(annex, { gateway, emailAddress: `${gateway}@example.com` })
  const { address, amount } = await beginToPay(annex, order)
  const units = unitsOf(amount, decimals[gateway])
  await (gateway === 'usdc' ? ethereum.payToken : ethereum.payEther)(address, units)
  await ethereum.mine()
  await untilOrderIs(annex, order, 'Delivered')
}

const offerOf = async ({ seller, storeId }: Annex, method: Coin) =>
  (await answered(() => seller(getSweep, { path: { storeId, method } }))).data

/** The token needs ether for its fees. */
async function feed(annex: Annex): Promise<void> {
  const { feeAddress } = await offerOf(annex, 'usdc')
  await annex.outside.ethereum.payEther(feeAddress ?? '', 10n ** 17n)
  await annex.outside.ethereum.mine()
}

/** Answers how to see whether all of it, and no more, is there. */
async function sendOn(annex: Annex, method: 'ethereum' | 'usdc', recipient: string): Promise<() => Promise<boolean>> {
  const { ethereum } = annex.outside
  let shown = await offerOf(annex, method)
  await until(`${method} is sent on`, async () => {
    const offer = await offerOf(annex, method)
    if (offer.sweeps.length > 0) return true
    shown = offer
    await start(annex, method, { recipient, feeMax: offer.fee })
    return false
  })
  await until(`${method} arrives`, async () => {
    await ethereum.mine()
    return (await offerOf(annex, method)).sweeps[0]?.status === 'done'
  })
  const balance = method === 'usdc' ? ethereum.tokenBalanceOf : ethereum.balanceOf
  return async () => (await balance(recipient)) === unitsOf(shown.amount, decimals[method])
}

/** At the dashboard, by the seller in person; without an answer it is looked whether it has begun. */
async function start(
  { line, cookie, storeId }: Annex,
  method: Coin,
  wish: { recipient: string; feeMax: string },
): Promise<void> {
  const body = JSON.stringify({ ...wish, password: sellersPassword })
  await line
    .ask(askingFor(line.address, startSweep, { path: { storeId, method }, body }, { cookie }))
    .catch(() => undefined)
}
