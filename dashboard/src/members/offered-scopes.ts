import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { useRights } from '../stores/rights.ts'

/** What is about a person's own account has no meaning in somebody's store. */
const ofTheAccount: readonly Scope[] = ['ViewUser', 'ViewEnabledCryptos', 'ViewCryptoBalance', 'CreateStores']

/** What one may give to others: what one may do in the store oneself. */
export function useOfferedScopes(): Scope[] {
  const may = useRights()
  return scopeNames.filter((scope) => !ofTheAccount.includes(scope) && may(scope))
}
