import type { StoreRow } from '#stores/tables'
import { freeMethod } from './free.ts'
import type { PaymentMethod } from './method.ts'
import { testMethod } from './test-method.ts'

const methods: readonly PaymentMethod[] = [testMethod, freeMethod]

export function methodNamed(id: string): PaymentMethod | undefined {
  return methods.find((method) => method.id === id)
}

/** The methods that a buyer can choose; `disabled` are those that the seller switched off. */
export function methodsOf(store: StoreRow, disabled: Readonly<Record<string, string>>): readonly PaymentMethod[] {
  return methods.filter((method) => method.isOn(store) && !Object.hasOwn(disabled, method.id))
}
