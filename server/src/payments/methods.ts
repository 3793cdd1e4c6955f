import type { StoreRow } from '#stores/tables'
import { balanceMethod } from './balance/balance.ts'
import { bitcoinMethod } from './bitcoin/bitcoin.ts'
import { cardMethod } from './card/card.ts'
import { ethereumMethod } from './ethereum/ethereum.ts'
import { freeMethod } from './free/free.ts'
import { litecoinMethod } from './litecoin/litecoin.ts'
import type { PaymentMethod, Switches } from './method.ts'
import { testMethod } from './test/test.ts'
import { transferMethod } from './transfer/transfer.ts'
import { usdcMethod } from './usdc/usdc.ts'
import { walletMethod } from './wallet/wallet.ts'

/** In the order in which buyers and sellers read them. */
export const methods: readonly PaymentMethod[] = [
  cardMethod,
  bitcoinMethod,
  litecoinMethod,
  ethereumMethod,
  usdcMethod,
  transferMethod,
  walletMethod,
  balanceMethod,
  testMethod,
  freeMethod,
]

export function methodNamed(id: string): PaymentMethod | undefined {
  return methods.find((method) => method.id === id)
}

/** The methods that a buyer can choose. */
export function methodsOf(store: StoreRow, switches: Switches): readonly PaymentMethod[] {
  return methods.filter((method) => isTaken(method, store, switches))
}

export function isTaken(method: PaymentMethod, store: StoreRow, { enabled, disabled }: Switches): boolean {
  const isOn = method.isOn ? method.isOn(store) : enabled.includes(method.id)
  return isOn && !Object.hasOwn(disabled, method.id)
}
