import { Type } from 'typebox'
import { recordAct as recordPlatformAct } from '#account/audit'
import { insertAtEnd } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Act } from '#platform/http/act'
import { job } from '#platform/jobs/job'
import type { StoreRow } from '#stores/tables'
import { hasUnnumbered, lockNumbers, numberActs, selectUnnumberedStores, storeActRows } from './queries.ts'

const storesAtOnce = 500

export const numberActsJob = job('number-acts', Type.Object({}), { leaseSeconds: 120 })

/** What the staff do stands in the platform's own log, and in the store's when it is about one. */
export async function recordAct(tx: Tx, { name, isStaffs, caller, role, ip, subject, body }: Act): Promise<void> {
  const { storeId, id: subjectId = null, name: subjectName = null } = subject
  if (isStaffs) {
    await recordPlatformAct(tx, {
      act: `staff.${name}`,
      userId: caller.userId,
      ...(storeId === undefined ? {} : { storeId }),
      ...(subjectId === null ? {} : { subject: subjectId }),
      ip,
      details: { ...Object(body ?? {}), subjectName, userName: caller.userName },
    })
  }
  if (storeId === undefined) return
  await insertAtEnd(tx, storeActRows, {
    storeId,
    id: newId(),
    userId: caller.userId,
    userName: caller.userName,
    role,
    keyId: caller.kind === 'key' ? caller.id : null,
    act: name,
    subjectId,
    subjectName,
    ipAddress: ip,
  })
}

/** What no call for the store did: a member came or went, or the platform kept to the store's settings. */
export async function recordOwnAct(
  tx: Tx,
  store: Pick<StoreRow, 'id'>,
  { act, person }: { act: string; person?: { userId: string; userName: string; ip: string } },
): Promise<void> {
  await insertAtEnd(tx, storeActRows, {
    storeId: store.id,
    id: newId(),
    userId: person?.userId ?? null,
    userName: person?.userName ?? 'Keystall',
    role: person ? 'member' : 'platform',
    keyId: null,
    act,
    subjectId: null,
    subjectName: null,
    ipAddress: person?.ip ?? null,
  })
}

/**
 * Numbers every committed act of the store that has none. One transaction at a time does this for a store, so numbers
 * have no gaps, and whoever removed a row would leave one.
 */
export async function numberNewActs(db: Db, storeId: string): Promise<void> {
  if (!(await hasUnnumbered(db, storeId))) return
  await transact(db, async (tx) => numberActs(tx, storeId, await lockNumbers(tx, storeId)))
}

export async function numberAllActs(db: Db): Promise<void> {
  for (;;) {
    const storeIds = await selectUnnumberedStores(db, storesAtOnce)
    for (const storeId of storeIds) await numberNewActs(db, storeId)
    if (storeIds.length < storesAtOnce) return
  }
}
