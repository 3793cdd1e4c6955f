import { Type } from 'typebox'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { loadAnyStore } from '../account.ts'
import type { Till } from '../till.ts'
import {
  markGone,
  markSpent,
  moveCursor,
  replaceMoves,
  selectAmong,
  selectCursor,
  selectLedgers,
  selectLive,
  selectSince,
  selectTurn,
  selectUnspent,
  setNextTurn,
  setPriors,
  upsertFound,
} from './book-queries.ts'
import type { Book, Chain, ChainReader } from './chain.ts'
import { refreshRate } from './rate.ts'
import { settleAddress } from './settlement.ts'
import { selectCurrenciesToPrice, selectUnsettled } from './settlement-queries.ts'

const everySeconds = 10
/** A chain that was not read for long is read for so long at once: less than the lease. */
const catchUpSeconds = 60
/** How many addresses are asked for in one turn. */
const turnMax = 100

/** What a method needs to be looked after: its chain is read again and again, by one process each time. */
export function watching(chain: Chain): {
  performers: (till: Till) => Performer[]
  schedules: readonly Schedule[]
} {
  const watchJob = job(`watch-${chain.coin.method}`, Type.Object({}), { atOnce: 1, leaseSeconds: 120 })
  return {
    performers: (till) => [perform(watchJob, (_db, _data, { platform }) => watchChain(platform, till, chain))],
    schedules: [{ ...every(everySeconds, watchJob, {}), isNeeded: (platform) => chain.reader(platform) !== undefined }],
  }
}

/**
 * Reads the chain once, writes down what is there, and tells orders. It may be ended at any instant and begun by two at
 * once: what was read is written whole or not at all, and what was written is told until it has been told.
 */
export async function watchChain(platform: Platform, till: Till, chain: Chain): Promise<void> {
  const reader = chain.reader(platform)
  const until = performance.now() + catchUpSeconds * 1000
  while (reader && (await readOnce(platform, chain, reader)) && performance.now() < until) continue
  await settleAll(platform, till, chain)
}

/** Whether there is more to be read at once. */
async function readOnce({ db }: Platform, chain: Chain, reader: ChainReader): Promise<boolean> {
  const { method } = chain.coin
  const before = await selectCursor(db, method)
  const book = await openBook(db, chain, before)
  if (book.since === null) return false
  const look = await reader(book)
  const { tip, cursor, found, gone, spent, asked, left, priors = [], isBehind } = look
  return transact(db, async (tx) => {
    if (!(await moveCursor(tx, method, { version: before?.version ?? 0, tip, cursor }))) return false
    await upsertFound(tx, method, found)
    await markGone(tx, method, gone)
    await markSpent(tx, method, spent)
    if (left) await replaceMoves(tx, method, left)
    await setPriors(tx, method, priors)
    await setNextTurn(tx, method, asked, chain.turnSeconds)
    return isBehind
  })
}

async function openBook(db: Db, { coin, finalDepth }: Chain, before: { tip: number; cursor: unknown } | undefined) {
  const { method } = coin
  const [since, live] = await Promise.all([
    selectSince(db, method),
    selectLive(db, method, (before?.tip ?? 0) - finalDepth),
  ])
  const book: Book = {
    cursor: before?.cursor ?? null,
    since,
    live,
    among: (targets) => selectAmong(db, method, targets),
    unspent: (txids) => selectUnspent(db, method, txids),
    ledgers: (targets, height) => selectLedgers(db, method, { targets, height }),
    turn: () => selectTurn(db, method, turnMax),
  }
  return book
}

/** Also what an earlier reading left behind when its process ended. */
async function settleAll(platform: Platform, till: Till, chain: Chain): Promise<void> {
  const { db } = platform
  const { method } = chain.coin
  const [cursor, unsettled] = await Promise.all([selectCursor(db, method), selectUnsettled(db, method)])
  if (!cursor || unsettled.length === 0) return
  for (const currency of await selectCurrenciesToPrice(db, method)) await refreshRate(platform, chain.coin, currency)
  for (const { storeId, target } of unsettled) {
    try {
      const store = await loadAnyStore(db, storeId)
      await transact(db, (tx) =>
        settleAddress({ tx, platform, store, actor: null }, till, chain, { target, tip: cursor.tip }),
      )
      platform.kept.forget(storeId)
    } catch (error) {
      // The others are not to wait for it; it is tried again with the next reading.
      platform.log.error({ err: error, storeId, method }, 'a payment could not be told to its order')
    }
  }
}
