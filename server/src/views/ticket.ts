import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import type { TicketRow } from '#tickets/tables'
import { briefly, type Means, type PublicStoreView, selectPublicStore } from './public-store.ts'

export interface TicketFilter {
  status: TicketRow['status'] | null
  /** Words that a message, the subject or the customer's address must hold. */
  words?: string
}

export type TicketView = Awaited<ReturnType<typeof selectTickets>>[number] & { targetStore: PublicStoreView }

/** Newest first. */
export async function selectTicketPage(
  db: Db,
  means: Means,
  store: StoreRow,
  { status, words, ...paging }: Paging & TicketFilter,
): Promise<Page<TicketView>> {
  const filter = { status, ...(words === undefined ? {} : { words }) }
  const page = await paginate(
    paging,
    () => countTickets(db, store, filter),
    ({ limit, offset }) =>
      matching(db, store, filter)
        .select('tickets.id')
        .orderBy('tickets.dateCreated', 'desc')
        .orderBy('tickets.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
  const ids = page.data.map(({ id }) => id)
  return { pages: page.pages, data: await presentTickets(db, means, store, ids) }
}

export async function selectTicketView(db: Db, means: Means, store: StoreRow, ticket: TicketRow) {
  const [view] = await presentTickets(db, means, store, [ticket.id])
  if (!view) throw new Error('A ticket that was just found is gone')
  return view
}

/** Newest first. */
export async function selectTicketsOfOrder(db: Db, means: Means, store: StoreRow, order: Pick<OrderRow, 'id'>) {
  const rows = await db
    .selectFrom('tickets')
    .where('storeId', '=', store.id)
    .where('orderId', '=', order.id)
    .select('id')
    .execute()
  return presentTickets(
    db,
    means,
    store,
    rows.map(({ id }) => id),
  )
}

/** The files of their messages, oldest first. */
export function selectAttachments(db: Db, store: StoreRow, ticketIds: readonly string[]) {
  return db
    .selectFrom('ticketAttachments')
    .where('storeId', '=', store.id)
    .where('ticketId', '=', sql<string>`any(${ticketIds}::uuid[])`)
    .where('entryId', 'is not', null)
    .select(['id', 'dateCreated', 'ticketId', 'entryId', 'friendlyName', 'mediaType', 'bytes'])
    .orderBy('dateCreated')
    .orderBy('id')
    .execute()
}

async function presentTickets(db: Db, means: Means, store: StoreRow, ids: string[]): Promise<TicketView[]> {
  if (ids.length === 0) return []
  const [nested, tickets] = await Promise.all([selectPublicStore(db, means, store), selectTickets(db, store, ids)])
  const targetStore = ids.length === 1 ? nested : briefly(nested)
  return tickets.map((ticket) => ({ ...ticket, targetStore }))
}

async function selectTickets(db: Db, store: StoreRow, ids: string[]) {
  const [rows, entries] = await Promise.all([selectTicketRows(db, store, ids), selectEntries(db, store, ids)])
  const entriesOf = Map.groupBy(entries, ({ ticketId }) => ticketId)
  return rows.map(({ customerId, customerSince, emailAddress, linkedIntegrations, ...ticket }) => ({
    ...ticket,
    owner: { id: customerId, dateCreated: customerSince, emailAddress, linkedIntegrations },
    entries: (entriesOf.get(ticket.id) ?? []).map(({ id, dateCreated, message, isSellers }) => ({
      id,
      dateCreated,
      message,
      name: isSellers ? store.name : emailAddress,
    })),
  }))
}

function selectTicketRows(db: Db, store: StoreRow, ids: string[]) {
  return db
    .selectFrom('tickets')
    .innerJoin('customers', (join) =>
      join.onRef('customers.storeId', '=', 'tickets.storeId').onRef('customers.id', '=', 'tickets.customerId'),
    )
    .where('tickets.storeId', '=', store.id)
    .where('tickets.id', '=', sql<string>`any(${ids})`)
    .select([
      'tickets.id',
      'tickets.dateCreated',
      'tickets.subject',
      'tickets.status',
      'tickets.customerId',
      'customers.dateCreated as customerSince',
      'customers.emailAddress',
      'customers.linkedIntegrations',
    ])
    .orderBy('tickets.dateCreated', 'desc')
    .orderBy('tickets.id', 'desc')
    .execute()
}

function selectEntries(db: Db, store: StoreRow, ticketIds: string[]) {
  return db
    .selectFrom('ticketEntries')
    .where('storeId', '=', store.id)
    .where('ticketId', '=', sql<string>`any(${ticketIds})`)
    .select(['ticketId', 'id', 'dateCreated', 'message', 'isSellers'])
    .orderBy('dateCreated')
    .orderBy('id')
    .execute()
}

async function countTickets(db: Db, store: StoreRow, filter: TicketFilter): Promise<number> {
  const { total } = await matching(db, store, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function matching(db: Db, store: StoreRow, { status, words }: TicketFilter) {
  const tickets = db
    .selectFrom('tickets')
    .where('tickets.storeId', '=', store.id)
    .$if(status !== null, (query) => query.where('tickets.status', '=', status ?? 0))
  if (words === undefined) return tickets
  const found = db
    .selectFrom('ticketEntries')
    .where('storeId', '=', store.id)
    .where(sql<boolean>`words @@ websearch_to_tsquery('simple', ${words})`)
    .select('ticketId')
  return tickets.where('tickets.id', 'in', found)
}
