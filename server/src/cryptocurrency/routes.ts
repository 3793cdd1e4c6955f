import * as contract from '@keystall/contract/endpoints/cryptocurrency'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { listBalances, listEnabled } from './cryptocurrency.ts'

export const cryptocurrencyRoutes: Implementation[] = [
  implement(contract.listEnabledCryptocurrencies, async ({ db, caller }) => ok(await listEnabled(db, caller))),
  implement(contract.listCryptoBalances, async ({ platform, caller }) => ok(await listBalances(platform, caller))),
]
