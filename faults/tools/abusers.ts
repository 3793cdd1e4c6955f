import type { Address } from '../../server/test/line.ts'
import type { Abused, Acted } from './abused.ts'
import { startGivingWay } from './giving-way.ts'

/** What the process is told. */
export interface Order extends Pick<Abused, 'furnished' | 'seller'> {
  address: Address
  title: string
  atLeastMs: number
}

/** Answers what lets them begin, once they are prepared: nobody is to wait for that. */
export async function readyAgainst(order: Order): Promise<() => Promise<Acted>> {
  const { title } = order
  const abuser = startGivingWay({ file: new URL('./abuser.ts', import.meta.url), words: [title], title })
  await abuser.told()
  return async () => {
    abuser.send(order)
    try {
      return (await abuser.told()) as Acted
    } finally {
      abuser.end()
    }
  }
}
