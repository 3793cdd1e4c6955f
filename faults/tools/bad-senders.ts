import type { Address } from '../../server/test/line.ts'
import type { Tally } from '../../server/test/tally.ts'
import { startGivingWay } from './giving-way.ts'
import type { House, Seller } from './house.ts'

/** What the process is told. */
export interface BadOrder extends Pick<House, 'seller' | 'staff'> {
  address: Address
  /** Whose things are nobody else's. */
  stranger: Seller
  /** After some endpoints nobody is as before. */
  toWhich: 'all others' | 'last of all'
  /** Which of all that could be sent to an endpoint. */
  share: { from: number; to: number }
  /** Of the order in which it is. */
  seed: number
  /** Where a refusal is asked for a second time, to see that nothing changes. */
  databaseUrl?: string
}

/** Sends from elsewhere, until all is sent. */
export async function sendBad(order: BadOrder): Promise<Tally> {
  const sender = startGivingWay({
    file: new URL('./bad-sender.ts', import.meta.url),
    title: `bad input to ${order.toWhich}`,
  })
  sender.send(order)
  const tally = await sender.told()
  sender.end()
  return tally as Tally
}
