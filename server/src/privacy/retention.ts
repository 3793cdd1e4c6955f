import { Type } from 'typebox'
import { recordOwnAct } from '#audit-log/act'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { job } from '#platform/jobs/job'
import { dropBlobsLater } from '#products/blobs'
import { eraseMessages } from './erasure-queries.ts'
import {
  forgetAddressesOfOrders,
  forgetAddressesOfReveals,
  forgetWords,
  markForgotten,
  momentBefore,
  selectForgetful,
  selectOldTickets,
} from './queries.ts'
import type { RetentionRow } from './tables.ts'

const rowsAtOnce = 1000
const ticketsAtOnce = 100

export const forgetPeopleJob = job('forget-people', Type.Object({}), { leaseSeconds: 600 })

/** Does what the stores' settings say. Done again, or by two at once, it changes nothing more. */
export async function forgetPeople(db: Db): Promise<void> {
  for (const retention of await selectForgetful(db)) {
    await forgetAddresses(db, retention)
    await forgetTickets(db, retention)
  }
}

async function forgetAddresses(db: Db, { storeId, keepAddressesDays, addressesForgottenUntil }: RetentionRow) {
  if (keepAddressesDays === null) return
  const until = await momentBefore(db, keepAddressesDays)
  let isAny = false
  let from: Date | undefined = addressesForgottenUntil
  while (from) {
    const begin: Date = from
    from = await transact(db, (tx) => forgetAddressesOfOrders(tx, { storeId, from: begin, until }, rowsAtOnce))
    isAny ||= from !== undefined
  }
  for (;;) {
    const forgotten = await transact(db, (tx) => forgetAddressesOfReveals(tx, { storeId, until }, rowsAtOnce))
    isAny ||= forgotten > 0
    if (forgotten < rowsAtOnce) break
  }
  await transact(db, async (tx) => {
    await markForgotten(tx, storeId, { addresses: until })
    if (isAny) await recordOwnAct(tx, { id: storeId }, { act: 'forgetAddresses' })
  })
}

async function forgetTickets(db: Db, { storeId, keepTicketsDays, ticketsForgottenUntil }: RetentionRow) {
  if (keepTicketsDays === null) return
  const until = await momentBefore(db, keepTicketsDays)
  let isAny = false
  for (;;) {
    const forgotten = await transact(db, async (tx) => {
      const ids = await selectOldTickets(tx, { storeId, from: ticketsForgottenUntil, until }, ticketsAtOnce)
      if (ids.length === 0) return 0
      const files = await forgetWords(tx, storeId, ids)
      if (files.length > 0) await dropBlobsLater(tx, files)
      await eraseMessages(tx, storeId, ids, null)
      return ids.length
    })
    isAny ||= forgotten > 0
    if (forgotten < ticketsAtOnce) break
  }
  await transact(db, async (tx) => {
    await markForgotten(tx, storeId, { tickets: until })
    if (isAny) await recordOwnAct(tx, { id: storeId }, { act: 'forgetTickets' })
  })
}
