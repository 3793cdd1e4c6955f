import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../contract/src/client.ts'
import type { Ledger, Written } from './ledger.ts'
import { isPassing, type Requests } from './requests.ts'
import type { Shop } from './shop.ts'

export interface LoadMeans {
  shop: Shop
  ledger: Ledger
  requests: Requests
  /** Asked for each request: which of the servers it goes to. */
  port: () => number
  /** A key is good at the address for which it was made. */
  sellersPort: () => number
  apiKey: string
  random: () => number
}

/** What every part of the load is given. */
export interface Worker extends LoadMeans {
  buyer: Call
  seller: Call
  isOver: () => boolean
}

/** A write that has no Idempotency-Key is made once; without an answer nobody knows what became of it. */
export async function attempt(
  ledger: Ledger,
  written: Written,
  what: string,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
    written.acknowledged.add(what)
    ledger.acknowledge('write', what)
  } catch (error) {
    if (!isPassing(error)) throw error
    written.unknown.add(what)
    await sleep(50)
  }
}
