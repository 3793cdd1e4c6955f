import type { Scope } from '@keystall/contract/scopes'
import { useSuspenseQuery } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from './chosen-store.ts'

/** What everybody may do with their own account, in whichever store they are. */
const ofTheAccount: ReadonlySet<Scope> = new Set([
  'ViewUser',
  'ViewEnabledCryptos',
  'ViewCryptoBalance',
  'CreateStores',
])

/** Whether the person may do this in the chosen store. What one may not do has no button: the API would refuse it. */
export function useMay(scope: Scope): boolean {
  const may = useRights()
  return may(scope)
}

/** The same for several scopes: `const may = useRights()`, then `may('UpdateOrders')`. */
export function useRights(): (scope: Scope) => boolean {
  const { data: account } = useSuspenseQuery(accountQuery)
  const scopes = useChosenStore(account.stores)?.scopes ?? []
  return (scope) => ofTheAccount.has(scope) || scopes.includes(scope)
}
