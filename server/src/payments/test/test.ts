import { Type } from 'typebox'
import { switchTestMethod } from '#stores/store'
import type { PaymentMethod } from '../method.ts'
import { noStep } from '../step.ts'

/** Money that does not exist: for trying a store out. */
export const testMethod: PaymentMethod = {
  id: 'test',
  words: 'Money that does not exist, for trying the store out.',
  expiresAfterMinutes: 60,
  settings: Type.Object({}),
  isOn: (store) => store.isTestMethodOn,
  turn: switchTestMethod,
  begin: async () => ({ ...noStep, instructions: 'This is a test: choose on this page how the payment ends.' }),
}
