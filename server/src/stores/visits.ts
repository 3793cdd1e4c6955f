import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { job } from '#platform/jobs/job'
import { keyedHash } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { addVisit, deleteVisitorsBefore, insertVisitor } from './queries.ts'
import type { StoreRow } from './tables.ts'

export interface Visitor {
  ip: string
  userAgent: string
}

const bots =
  /(?<!cu)bots?\b|crawl|spider|slurp|preview|scan|monitor|probe|fetch|archiv|index|headless|lighthouse|facebookexternalhit|embedly|whatsapp|curl|wget|python|java\/|okhttp|go-http|node|axios|libwww|httpclient|http_|ruby|perl|php/i

/** Counts a visitor once a day. No address is kept: only a hash that changes daily and is dropped the day after. */
export async function countVisit(
  tx: Tx,
  secrets: SecretKey,
  store: StoreRow,
  visitor: Visitor,
  now = new Date(),
): Promise<void> {
  if (isBot(visitor.userAgent)) return
  const day = dayOf(now)
  const today = { storeId: store.id, day }
  const isNew = await insertVisitor(tx, { ...today, visitor: disguise(secrets, { ...today, ...visitor }) })
  if (isNew) await addVisit(tx, { ...today, id: newId() })
}

export const forgetVisitorsJob = job('forget-visitors', Type.Object({}))

/** Whoever came before today. */
export function forgetVisitors(db: Db, now = new Date()): Promise<void> {
  return deleteVisitorsBefore(db, dayOf(now))
}

/** UTC, as everything that is counted by day. */
function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** Whoever names no browser is no visitor either. */
export function isBot(userAgent: string): boolean {
  return userAgent.trim() === '' || bots.test(userAgent)
}

function disguise(secrets: SecretKey, { storeId, day, ip, userAgent }: { storeId: string; day: string } & Visitor) {
  return keyedHash(secrets.derive(`visitors of ${day}`), JSON.stringify([storeId, ip, userAgent])).subarray(0, 16)
}
