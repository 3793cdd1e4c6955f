import type { Client } from 'pg'
import type { Annex } from './annex.ts'
import { messageFaults } from './check-messages.ts'
import { tableFaults } from './check-tables.ts'
import type { Wrong } from './wrong.ts'

/** Of the second store: what must hold of every store, and what its stories expect. */
export async function annexFaults(client: Client, annex: Annex): Promise<Wrong> {
  const { storeId, ledger, items, outside, products } = annex
  const told = { shop: { storeId, items, keys: [products.key] }, ledger, receiver: outside.receiver }
  const found: Wrong = { ...(await tableFaults(client, told)), ...(await messageFaults(client, told)) }
  // Items that were cleared leave the act of appending them behind; and a shown list numbers the acts of its store alone.
  for (const each of Object.keys(found)) if (/\bacts?\b/.test(each)) delete found[each]
  for (const [what, isSo] of annex.expected) if (!(await isSo())) found[`${what}, too many or too few`] = 1
  for (const [what, count] of ledger.findings) found[what] = count
  return Object.fromEntries(Object.entries(found).map(([what, count]) => [`${what}, in the second store`, count]))
}
