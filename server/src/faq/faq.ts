import type { FaqForm } from '@keystall/contract/endpoints/faq'
import type { Config } from '#config'
import type { Db, Tx } from '#platform/db/database'
import { imageProblem } from '#products/description'
import { hiddenCharacters, hiddenCharactersReason } from '#platform/text/hidden-characters'
import { conflict, invalid, notFound } from '#problem'
import { raiseRevision } from '#products/revision'
import type { StoreRow } from '#stores/tables'
import {
  arrangeFaqEntries,
  countFaqEntries,
  deleteFaqEntry,
  insertFaqEntry,
  selectFaqEntry,
  updateFaqEntry,
} from './queries.ts'
import type { FaqEntryRow } from './tables.ts'

/** All are shown on one page. */
const entriesMax = 200

export function findFaqEntry(db: Db, store: StoreRow, id: string): Promise<FaqEntryRow | undefined> {
  return selectFaqEntry(db, store, id)
}

export async function addFaqEntry(
  tx: Tx,
  { config }: { config: Config },
  store: StoreRow,
  form: FaqForm,
): Promise<FaqEntryRow> {
  refuseInvalid(config, form)
  // First, so that entries added at once are counted one after the other.
  await raiseRevision(tx, { storeId: store.id })
  if ((await countFaqEntries(tx, store)) >= entriesMax) {
    throw conflict(`A store has at most ${entriesMax} FAQ entries: remove one first`)
  }
  return insertFaqEntry(tx, store, { question: form.title, answer: form.description })
}

export async function changeFaqEntry(
  tx: Tx,
  { config }: { config: Config },
  entry: FaqEntryRow,
  form: FaqForm,
): Promise<FaqEntryRow> {
  refuseInvalid(config, form)
  await raiseRevision(tx, entry)
  const changed = await updateFaqEntry(tx, entry, { question: form.title, answer: form.description })
  if (!changed) throw notFound('FAQ entry')
  return changed
}

export async function arrangeFaq(tx: Tx, store: StoreRow, ids: readonly string[]): Promise<void> {
  // First, here and wherever an entry is written, so that all who write at once take turns.
  await raiseRevision(tx, { storeId: store.id })
  await arrangeFaqEntries(tx, store, ids)
}

function refuseInvalid(config: Config, { title, description }: FaqForm): void {
  const fields: Record<string, string> = {}
  if (hiddenCharacters(title)) fields['title'] = hiddenCharactersReason
  const problem = imageProblem(config, description)
  if (problem) fields['description'] = problem
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

export async function removeFaqEntry(tx: Tx, entry: FaqEntryRow): Promise<void> {
  await raiseRevision(tx, entry)
  await deleteFaqEntry(tx, entry)
}
