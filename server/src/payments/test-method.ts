import type { PaymentMethod } from './method.ts'
import { noStep } from './step.ts'

/** Money that does not exist: for trying a store out. */
export const testMethod: PaymentMethod = {
  id: 'test',
  expiresAfterMinutes: 60,
  isOn: (store) => store.isTestMethodOn,
  begin: async () => ({ ...noStep, instructions: 'This is a test: choose on this page how the payment ends.' }),
}
