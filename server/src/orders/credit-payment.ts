import { payWithCredit, sendCreditCode } from '#credit/paying'
import { selectSwitches } from '#payments/account'
import { isTaken, methodNamed } from '#payments/methods'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { lockOrder } from './change.ts'
import { refuseClosed } from './closed.ts'
import { selectParticulars } from './particulars-queries.ts'
import { selectOrder } from './queries.ts'
import type { OrderRow } from './tables.ts'
import { till } from './till.ts'

const creditTill = {
  ...till,
  async due({ tx, store }: Parameters<typeof till.receive>[0], orderId: string) {
    const { paidAt, costMinor, paidMinor } = await lockOrder(tx, { storeId: store.id, orderId })
    return paidAt === null ? costMinor - paidMinor : 0
  },
}

/** Whether buyers can spend store credit here. */
export async function takesCredit({ db }: Pick<Platform, 'db'>, store: StoreRow): Promise<boolean> {
  const method = methodNamed('balance')
  return method !== undefined && isTaken(method, store, await selectSwitches(db, store))
}

export async function mailCreditCode(platform: Platform, store: StoreRow, order: OrderRow): Promise<void> {
  await sendCreditCode(await buyingOf(platform, store, order))
}

export async function spendCredit(
  platform: Platform,
  store: StoreRow,
  { order, code }: { order: OrderRow; code: string },
): Promise<OrderRow> {
  await payWithCredit(creditTill, await buyingOf(platform, store, order), code)
  return (await selectOrder(platform.db, store, order.id)) ?? order
}

async function buyingOf(platform: Platform, store: StoreRow, order: OrderRow) {
  refuseClosed(store)
  const { emailAddress } = await selectParticulars(platform.db, order)
  return { platform, store, order, emailAddress, isTaken: await takesCredit(platform, store) }
}
