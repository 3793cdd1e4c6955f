import { sql } from 'kysely'
import { affiliateLink } from '#affiliates/affiliate'
import type { CustomerRow } from '#customers/tables'
import type { Db } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import { fromMinor } from '#platform/money/money'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { selectActiveDomain } from './domain.ts'

type Means = Pick<Platform, 'config'>
type Person = Pick<CustomerRow, 'id' | 'emailAddress' | 'affiliateCode'>

/** Customers who asked for a link, newest customer first. */
export async function selectAffiliatePage(db: Db, means: Means, store: StoreRow, paging: Paging) {
  const page = await paginate(
    paging,
    () => countAffiliates(db, store),
    ({ limit, offset }) =>
      affiliates(db, store)
        .select(['id', 'emailAddress', 'affiliateCode'])
        .orderBy('dateCreated', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
  return { pages: page.pages, data: await presentAffiliates(db, means, store, page.data) }
}

export async function presentAffiliates(db: Db, { config }: Means, store: StoreRow, people: readonly Person[]) {
  const ids = people.map(({ id }) => id)
  const [books, activeDomain] = await Promise.all([selectBooks(db, store, ids), selectActiveDomain(db, store)])
  const bookOf = Map.groupBy(books, ({ customerId }) => customerId)
  return people.map(({ id, emailAddress, affiliateCode }) => {
    const own = bookOf.get(id) ?? []
    const code = affiliateCode ?? ''
    return {
      customerId: id,
      emailAddress,
      code,
      url: affiliateLink(config, { url: store.url, activeDomain }, code),
      orders: own.reduce((sum, { orders }) => sum + orders, 0),
      balances: own.map(toBalance),
    }
  })
}

export async function presentOwnAffiliate(
  db: Db,
  { config }: Means,
  store: StoreRow,
  { id, affiliateCode: code }: Pick<CustomerRow, 'id' | 'affiliateCode'>,
) {
  const [books, activeDomain] = await Promise.all([selectBooks(db, store, [id]), selectActiveDomain(db, store)])
  return {
    percentage: store.affiliatePercentage,
    code,
    url: code === null ? null : affiliateLink(config, { url: store.url, activeDomain }, code),
    balances: books.map(toBalance),
  }
}

/** Newest first. */
export async function selectAffiliateEntryPage(
  db: Db,
  store: StoreRow,
  { id }: Pick<CustomerRow, 'id'>,
  paging: Paging,
): Promise<Page<EntryView>> {
  const entries = () => db.selectFrom('affiliateEntries').where('storeId', '=', store.id).where('customerId', '=', id)
  const page = await paginate(
    paging,
    async () => {
      const { total } = await entries()
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    ({ limit, offset }) =>
      entries()
        .select(['id', 'dateCreated', 'kind', 'orderId', 'amountMinor', 'currency', 'note'])
        .orderBy('dateCreated', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
  return {
    pages: page.pages,
    data: page.data.map(({ amountMinor, ...entry }) => ({ ...entry, amount: fromMinor(amountMinor, entry.currency) })),
  }
}

interface EntryView {
  id: string
  dateCreated: Date
  kind: 'earned' | 'reversed' | 'paid-out'
  orderId: string | null
  amount: number
  currency: string
  note: string | null
}

interface Book {
  customerId: string
  currency: string
  orders: number
  earnedMinor: number
  paidOutMinor: number
}

async function selectBooks(db: Db, store: StoreRow, customerIds: readonly string[]): Promise<Book[]> {
  const { rows } = await sql<Book>`
    select customer_id, currency, count(distinct order_id) filter (where kind = 'earned') as orders,
      coalesce(sum(amount_minor) filter (where kind <> 'paid-out'), 0)::bigint as earned_minor,
      coalesce(-sum(amount_minor) filter (where kind = 'paid-out'), 0)::bigint as paid_out_minor
    from affiliate_entries
    where store_id = ${store.id} and customer_id = any(${customerIds}::uuid[])
    group by customer_id, currency
    order by customer_id, currency
  `.execute(db)
  return rows
}

function toBalance({ currency, earnedMinor, paidOutMinor }: Book) {
  return {
    currency,
    earned: fromMinor(earnedMinor, currency),
    paidOut: fromMinor(paidOutMinor, currency),
    owed: fromMinor(earnedMinor - paidOutMinor, currency),
  }
}

function affiliates(db: Db, store: StoreRow) {
  return db.selectFrom('customers').where('storeId', '=', store.id).where('affiliateCode', 'is not', null)
}

async function countAffiliates(db: Db, store: StoreRow): Promise<number> {
  const { total } = await affiliates(db, store)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
