import * as contract from '@keystall/contract/endpoints/faq'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectFaq, toFaqEntry } from '#views/faq'
import { addFaqEntry, arrangeFaq, changeFaqEntry, removeFaqEntry } from './faq.ts'

export const faqRoutes: Implementation[] = [
  implement(contract.addFaqEntry, async ({ db, platform, store, body }) =>
    ok(toFaqEntry(await transact(db, (tx) => addFaqEntry(tx, platform, store, body)))),
  ),

  implement(contract.removeFaqEntry, async ({ db, faq }) => {
    await transact(db, (tx) => removeFaqEntry(tx, faq))
    return ok(null)
  }),

  implement(contract.updateFaqEntry, async ({ db, platform, faq, body }) =>
    ok(toFaqEntry(await transact(db, (tx) => changeFaqEntry(tx, platform, faq, body)))),
  ),

  implement(contract.arrangeFaq, async ({ db, store, body }) => {
    await transact(db, (tx) => arrangeFaq(tx, store, body.ids))
    return ok(null, 'The order is saved')
  }),

  implement(contract.listFaqEntries, async ({ db, store }) => ok(await selectFaq(db, store))),
]
