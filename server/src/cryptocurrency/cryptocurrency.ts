import type { CryptoBalance } from '@keystall/contract/shapes/cryptocurrency'
import { amountOf } from '#payments/chain/amounts'
import type { Coin } from '#payments/chain/coin'
import { lastRate } from '#payments/chain/rate'
import { methods } from '#payments/methods'
import type { Db } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { type Owner, selectHoldings, selectTaken } from './queries.ts'

/** Those that a store of the user takes, and the user has not switched off. */
export async function listEnabled(db: Db, owner: Owner): Promise<string[]> {
  return (await enabledCoins(db, owner)).map(({ method }) => method)
}

/** What orders brought and the seller has not moved on, of each coin that is taken. */
export async function listBalances(platform: Platform, owner: Owner): Promise<CryptoBalance[]> {
  const [coins, holdings] = await Promise.all([enabledCoins(platform.db, owner), selectHoldings(platform.db, owner)])
  return Promise.all(
    coins.map(async (coin) => {
      const held = holdings.find(({ method }) => method === coin.method)
      const [available, pending] = [held?.confirmed ?? '0', held?.unconfirmed ?? '0'].map((units) =>
        Number(amountOf(BigInt(units), coin.decimals)),
      )
      const rate = (await lastRate(platform, coin, 'USD')) ?? 0
      return {
        cryptoCode: coin.method,
        available: available ?? 0,
        availableUsd: dollars((available ?? 0) * rate),
        pending: pending ?? 0,
        pendingUsd: dollars((pending ?? 0) * rate),
      }
    }),
  )
}

async function enabledCoins(db: Db, owner: Owner): Promise<Coin[]> {
  const taken = await selectTaken(db, owner)
  return methods.flatMap(({ id, coin }) => (coin && taken.includes(id) ? [coin] : []))
}

const dollars = (amount: number) => Math.round(amount * 100) / 100
