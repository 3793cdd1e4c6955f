import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Address } from '../../server/test/line.ts'
import type { Abused, Acted } from './abused.ts'

/** What the process is told. */
export interface Order extends Pick<Abused, 'furnished' | 'seller'> {
  address: Address
  title: string
  atLeastMs: number
}

/** They come from elsewhere, with processors of their own: here they take what nobody else wants. */
export async function actAgainst(order: Order): Promise<Acted> {
  const abuser = fork(fileURLToPath(new URL('./abuser.ts', import.meta.url)))
  const end = () => void abuser.kill('SIGKILL')
  process.once('exit', end)
  abuser.send(order)
  const [acted] = await Promise.race([once(abuser, 'message'), once(abuser, 'exit')])
  process.off('exit', end)
  end()
  if (typeof acted !== 'object') throw new Error(`"${order.title}" ended by itself`)
  return acted as Acted
}
