import type { CryptoBalance } from '@keystall/contract/shapes/cryptocurrency'
import { amountOf } from '#payments/chain/amounts'
import type { Coin } from '#payments/chain/coin'
import { currentRate } from '#payments/chain/rate'
import { methods } from '#payments/methods'
import type { Db } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { type Holding, type Owner, selectHoldings, selectTaken } from './queries.ts'

/** Those that a store of the user takes, and the user has not switched off. */
export async function listEnabled(db: Db, owner: Owner): Promise<string[]> {
  return (await enabledCoins(db, owner)).map(({ method }) => method)
}

/**
 * What orders brought and the seller has not moved on, of each coin that is taken or held. What it is worth is said by a
 * recent rate or not at all: without one the answer is refused, as a wrong number would be believed.
 */
export async function listBalances(platform: Platform, owner: Owner): Promise<CryptoBalance[]> {
  const [taken, holdings] = await Promise.all([enabledCoins(platform.db, owner), selectHoldings(platform.db, owner)])
  const isHeld = ({ method }: Coin) => holdings.some((held) => held.method === method && !isEmpty(held))
  const coins = methods.flatMap(({ coin }) => (coin && (taken.includes(coin) || isHeld(coin)) ? [coin] : []))
  return Promise.all(
    coins.map(async (coin) => {
      const held = holdings.find(({ method }) => method === coin.method)
      const [available, pending] = [held?.confirmed ?? '0', held?.unconfirmed ?? '0'].map((units) =>
        Number(amountOf(BigInt(units), coin.decimals)),
      )
      const rate = held && !isEmpty(held) ? await currentRate(platform, coin, 'USD') : 0
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

const isEmpty = ({ confirmed, unconfirmed }: Holding) => confirmed === '0' && unconfirmed === '0'

const dollars = (amount: number) => Math.round(amount * 100) / 100
