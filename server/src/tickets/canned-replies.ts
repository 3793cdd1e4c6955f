import type { CannedReply } from '@keystall/contract/shapes/ticket'
import type { Db, Tx } from '#platform/db/database'
import { invalid } from '#problem'
import type { StoreRow } from '#stores/tables'
import { selectCannedReplies, upsertCannedReplies } from './queries.ts'

export async function listCannedReplies(db: Db, store: StoreRow): Promise<CannedReply[]> {
  return (await selectCannedReplies(db, store)) ?? []
}

/** Each is found by its title. */
export async function updateCannedReplies(tx: Tx, store: StoreRow, replies: CannedReply[]): Promise<CannedReply[]> {
  const titles = replies.map(({ title }) => title.trim().toLowerCase())
  const twice = titles.findIndex((title, index) => titles.indexOf(title) !== index)
  if (twice !== -1) throw invalid({ [`replies.${twice}.title`]: 'is the title of another reply' })
  await upsertCannedReplies(tx, store, replies)
  return replies
}
