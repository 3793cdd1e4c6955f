import { conflict } from '#problem'
import type { PaymentMethod } from '../method.ts'

/** Chosen by itself when nothing is owed; nobody can choose it otherwise. */
export const freeMethod: PaymentMethod = {
  id: 'free',
  words: 'For orders that cost nothing.',
  expiresAfterMinutes: 60,
  settings: null,
  isOn: () => false,
  begin: async () => {
    throw conflict('Nothing is owed')
  },
}
