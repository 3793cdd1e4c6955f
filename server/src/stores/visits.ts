import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { job } from '#platform/jobs/job'
import { keyedHash } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { addVisit, deleteVisitorsBefore, insertVisitor } from './queries.ts'

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
  storeId: string,
  visitor: Visitor,
  now = new Date(),
): Promise<void> {
  if (isBot(visitor.userAgent)) return
  const day = dayOf(now)
  const today = { storeId, day }
  const isNew = await insertVisitor(tx, { ...today, visitor: disguise(secrets, { ...today, ...visitor }) })
  if (isNew) await addVisit(tx, { ...today, id: newId() })
}

/** Visitors of today that this process has counted: most pages are looked at by somebody who was here a minute ago. */
const counted = new Set<string>()
const countedMax = 50_000

export function isCountedToday(secrets: SecretKey, storeId: string, visitor: Visitor, now = new Date()): boolean {
  return isBot(visitor.userAgent) || counted.has(nameOf(secrets, storeId, visitor, now))
}

export function noteCounted(secrets: SecretKey, storeId: string, visitor: Visitor, now = new Date()): void {
  if (counted.size >= countedMax) counted.clear()
  counted.add(nameOf(secrets, storeId, visitor, now))
}

function nameOf(secrets: SecretKey, storeId: string, visitor: Visitor, now: Date): string {
  return disguise(secrets, { storeId, day: dayOf(now), ...visitor }).toString('latin1')
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
  return keyedHash(keyOfDay(secrets, day), JSON.stringify([storeId, ip, userAgent])).subarray(0, 16)
}

const keysOfDays = new WeakMap<SecretKey, { day: string; key: Buffer }>()

/** To derive it takes longer than all the rest, and it is the same all day. */
function keyOfDay(secrets: SecretKey, day: string): Buffer {
  const known = keysOfDays.get(secrets)
  if (known?.day === day) return known.key
  const key = secrets.derive(`visitors of ${day}`)
  keysOfDays.set(secrets, { day, key })
  return key
}
