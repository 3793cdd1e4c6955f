import { viewStore } from '../../contract/src/endpoints/stores.ts'
import type { Annex } from '../tools/annex.ts'
import { isPassing } from '../tools/requests.ts'
import { placeOrder, until } from '../tools/telling.ts'

/** The demo store, which the server makes at its start, gets its pictures and files. */
export async function demoDressed({ buyer }: Annex): Promise<void> {
  await until('the demo store has its pictures', async () => {
    const { data } = await buyer(viewStore, { path: { storeUrl: 'demo' } }).catch((error: unknown) => {
      if (isPassing(error) || Object(error).status === 404) return { data: undefined }
      throw error
    })
    return data !== undefined && data.products.every(({ imageNames }) => imageNames.length === 1)
  })
}

/** The receiver of the seller's webhooks is away: it is tried again, apart from those that answer. */
export async function receiverAway(annex: Annex): Promise<void> {
  annex.outside.receiver.isAway = true
  await placeOrder(annex, { gateway: 'test', emailAddress: 'told@example.com', fate: 'placed' })
  await until('a receiver that is away is tried again', async () => annex.hasDied('send-webhooks-to-failing.before'))
  annex.outside.receiver.isAway = false
}
