import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Address } from '../../server/test/line.ts'
import type { Abused, Acted } from './abused.ts'

/** What the process is told. */
export interface Order extends Pick<Abused, 'furnished' | 'seller'> {
  address: Address
  title: string
  atLeastMs: number
}

const leastUrgent = 19

/**
 * They come from elsewhere, with processors of their own: here they take what nobody else wants, from their first moment
 * on. Answers what lets them begin, once they are prepared: nobody is to wait for that.
 */
export async function readyAgainst(order: Order): Promise<() => Promise<Acted>> {
  const abuser = fork(fileURLToPath(new URL('./abuser.ts', import.meta.url)), [order.title])
  if (abuser.pid !== undefined) setPriority(abuser.pid, leastUrgent)
  const end = () => void abuser.kill('SIGKILL')
  process.once('exit', end)
  const told = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(abuser, 'message'), once(abuser, 'exit')])
    if (typeof message !== 'object') throw new Error(`"${order.title}" ended by itself`)
    return message
  }
  await told()
  return async () => {
    abuser.send(order)
    const acted = await told()
    process.off('exit', end)
    end()
    return acted as Acted
  }
}
