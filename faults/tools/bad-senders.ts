import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Address } from '../../server/test/line.ts'
import type { Tally } from '../../server/test/tally.ts'
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

const leastUrgent = 19

/** Sent from elsewhere, with processors of its own: here it takes what nobody else wants. */
export async function sendBad(order: BadOrder): Promise<Tally> {
  const sender = fork(fileURLToPath(new URL('./bad-sender.ts', import.meta.url)), { serialization: 'advanced' })
  if (sender.pid !== undefined) setPriority(sender.pid, leastUrgent)
  const end = () => void sender.kill('SIGKILL')
  process.once('exit', end)
  sender.send(order)
  const [message] = await Promise.race([once(sender, 'message'), once(sender, 'exit')])
  process.off('exit', end)
  end()
  if (typeof message !== 'object') throw new Error('the sender ended by itself')
  return message as Tally
}
