import * as contract from '@keystall/contract/endpoints/faq'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectFaq, toFaqEntry } from '#views/faq'
import { addFaqEntry, removeFaqEntry } from './faq.ts'

export const faqRoutes: Implementation[] = [
  implement(contract.addFaqEntry, async ({ db, platform, store, body }) =>
    ok(toFaqEntry(await transact(db, (tx) => addFaqEntry(tx, platform, store, body)))),
  ),

  implement(contract.removeFaqEntry, async ({ db, faq }) => {
    await transact(db, (tx) => removeFaqEntry(tx, faq))
    return ok(null)
  }),

  implement(contract.listFaqEntries, async ({ db, store }) => ok(await selectFaq(db, store))),
]
