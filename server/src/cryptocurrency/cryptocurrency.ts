import type { PaymentMethod } from '@keystall/contract/payment-methods'
import type { CryptoBalance } from '@keystall/contract/shapes/cryptocurrency'
import type { Db } from '#platform/db/database'
import { selectDisabledMethods } from './queries.ts'

/** The cryptocurrencies that this server can be paid in: none yet. One that is built is named here. */
const cryptocurrencies: readonly PaymentMethod[] = []

/** Those that the user has not switched off. */
export async function listEnabled(db: Db, user: { userId: string }): Promise<PaymentMethod[]> {
  const disabled = await selectDisabledMethods(db, user)
  return cryptocurrencies.filter((method) => !Object.hasOwn(disabled, method))
}

/** One for each that the user takes. Nothing can be held of what cannot be received. */
export async function listBalances(db: Db, user: { userId: string }): Promise<CryptoBalance[]> {
  const enabled = await listEnabled(db, user)
  return enabled.map((cryptoCode) => ({ cryptoCode, available: 0, availableUsd: 0, pending: 0, pendingUsd: 0 }))
}
