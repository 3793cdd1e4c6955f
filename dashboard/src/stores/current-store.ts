import { useSuspenseQuery } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from './chosen-store.ts'

/** The store of the page's address. Its route chose it before the page was shown. */
export function useCurrentStore() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const store = useChosenStore(account.stores)
  if (!store) throw new Error('the pages of a store are shown only where there is one')
  return store
}
