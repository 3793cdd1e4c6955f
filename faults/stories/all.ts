import type { Annex } from '../tools/annex.ts'
import { cardPaidUnheard, cardRenewed } from './cards.ts'
import { coinsPaid, etherSentOn } from './coins.ts'
import { claimForgotten, itemsPurged, orderExpires, subscriptionEnds, uploadForgotten } from './ends.ts'
import { buyerGetsMails } from './mails.ts'
import { demoDressed, receiverAway } from './seller.ts'

/** What seldom happens in a shop: together they need every kind of job that the load does not. */
export const stories: readonly ((annex: Annex) => Promise<void>)[] = [
  cardPaidUnheard,
  cardRenewed,
  coinsPaid,
  etherSentOn,
  orderExpires,
  claimForgotten,
  subscriptionEnds,
  itemsPurged,
  uploadForgotten,
  buyerGetsMails,
  demoDressed,
  receiverAway,
]
