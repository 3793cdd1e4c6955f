import { useSuspenseQuery } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from './chosen-store.ts'

/** The store that the page is about; undefined for somebody who has none yet. */
export function useStore() {
  const { data: account } = useSuspenseQuery(accountQuery)
  return useChosenStore(account.stores)
}
