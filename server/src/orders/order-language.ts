import { isLanguage } from '@keystall/storefront/languages'
import { type Speech, speechOf } from '@keystall/storefront/speech'
import type { OrderRow } from './tables.ts'

/** The language in which the buyer ordered. */
export function speechOfOrder({ language }: Pick<OrderRow, 'language'>): Speech {
  return speechOf(isLanguage(language) ? language : 'en')
}
