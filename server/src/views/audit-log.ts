import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'

/** What no endpoint did. */
const ownActs: Record<string, string> = {
  forgetAddresses: 'Forget old addresses, as the privacy settings say',
  forgetTickets: 'Forget old tickets, as the privacy settings say',
}

/** Newest first. Numbers have no gaps, so a page is found by them however deep it is. */
export function selectActPage(db: Db, store: StoreRow, paging: Paging) {
  let last = 0
  return paginate(
    paging,
    async () => {
      last = await selectLastNumber(db, store)
      return last
    },
    async ({ limit, offset }) => {
      const rows = await db
        .selectFrom('storeActs')
        .leftJoin('apiKeys', 'apiKeys.id', 'storeActs.keyId')
        .where('storeActs.storeId', '=', store.id)
        .where('storeActs.number', '<=', last - offset)
        .selectAll('storeActs')
        .select('apiKeys.label as keyLabel')
        .orderBy('storeActs.number', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ number, ...row }) => ({ ...row, number: number ?? 0, words: wordsFor(row.act) }))
    },
  )
}

async function selectLastNumber(db: Db, store: StoreRow): Promise<number> {
  const row = await db
    .selectFrom('storeActNumbers')
    .where('storeId', '=', store.id)
    .select('lastNumber')
    .executeTakeFirst()
  return row?.lastNumber ?? 0
}

/** Of all staff, newest first. */
export function selectStaffActPage(db: Db, paging: Paging) {
  const acts = db.selectFrom('auditEntries').where('act', 'like', sql<string>`'staff.%'`)
  return paginate(
    paging,
    async () => (await acts.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total,
    async ({ limit, offset }) => {
      const rows = await acts.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
      return rows.map(({ id, dateCreated, userId, act, storeId, subject, ipAddress, details }) => ({
        id,
        dateCreated,
        userId,
        userName: textOf(details['userName']) ?? '',
        act: act.slice('staff.'.length),
        words: wordsFor(act.slice('staff.'.length)),
        storeId,
        subjectId: subject,
        subjectName: textOf(details['subjectName']),
        reason: textOf(details['reason']) ?? textOf(details['note']) ?? textOf(details['administratorNote']),
        ipAddress,
      }))
    },
  )
}

function wordsFor(act: string): string {
  const known: Record<string, Endpoint | undefined> = endpoints
  return known[act]?.summary ?? ownActs[act] ?? act
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
