import type { Scope } from '@keystall/contract/scopes'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { isoTimestamp } from '#platform/db/json'
import { type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import { ratingOf } from './product.ts'

interface Filter {
  rating: number | null
  isReplied: boolean | null
  isFlagged: boolean
}

interface SellerReviewRow {
  id: string
  dateCreated: Date
  rating: number
  reason: string
  productId: string
  reply: string | null
  productName: string
  orderId: string
  isRemoved: boolean
  flag: {
    dateCreated: string
    reason: string
    dateDecided: string | null
    approved: boolean | null
    administratorNote: string | null
  } | null
}

/** Newest first. Removed reviews stand among the flagged ones alone. */
export async function selectSellerReviewPage(
  db: Db,
  { store, rights }: { store: StoreRow; rights: ReadonlySet<Scope> },
  { rating, isReplied, isFlagged, ...paging }: Paging & Filter,
) {
  const maySeeFlags = rights.has('ViewFlaggedReviews')
  const matching = sql.join(conditions(store, { rating, isReplied, isFlagged: isFlagged && maySeeFlags }), sql` and `)
  const [page, { sum, count }] = await Promise.all([
    paginate(
      paging,
      async () => {
        const { rows } = await sql<{ total: number }>`
          select count(*) as total from reviews review where ${matching}
        `.execute(db)
        return rows[0]?.total ?? 0
      },
      async (window) => selectWindow(db, store, matching, window),
    ),
    selectRating(db, store),
  ])
  return {
    pages: page.pages,
    data: page.data.map((row) => ({ ...row, flag: maySeeFlags ? row.flag : null })),
    totalReviews: count,
    average: ratingOf({ ratingSum: sum, ratingCount: count }),
  }
}

function conditions(store: StoreRow, { rating, isReplied, isFlagged }: Filter): RawBuilder<unknown>[] {
  return [
    sql`review.store_id = ${store.id}`,
    isFlagged
      ? sql`exists (select from review_flags where store_id = ${store.id} and review_id = review.id)`
      : sql`review.hidden_at is null`,
    ...(rating === null ? [] : [sql`review.rating = ${rating}`]),
    ...(isReplied === null ? [] : [isReplied ? sql`review.reply is not null` : sql`review.reply is null`]),
  ]
}

async function selectWindow(
  db: Db,
  store: StoreRow,
  matching: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<SellerReviewRow[]> {
  const { rows } = await sql<SellerReviewRow>`
    select review.id, review.date_created, review.rating, review.reason, review.product_id, review.reply,
      review.order_id, review.hidden_at is not null as is_removed, product.name as product_name, (
        select jsonb_build_object(
          'dateCreated', ${isoTimestamp(sql<Date>`flag.date_created`)}, 'reason', flag.reason,
          'dateDecided', ${isoTimestamp(sql<Date>`flag.decided_at`)}, 'approved', flag.approved,
          'administratorNote', flag.administrator_note
        )
        from review_flags flag
        where flag.store_id = ${store.id} and flag.review_id = review.id
        order by flag.date_created desc, flag.id desc limit 1
      ) as flag
    from reviews review
    join products product on product.store_id = ${store.id} and product.id = review.product_id
    where ${matching}
    order by review.date_created desc, review.id desc limit ${limit} offset ${offset}
  `.execute(db)
  return rows
}

async function selectRating(db: Db, store: StoreRow): Promise<{ sum: number; count: number }> {
  const { rows } = await sql<{ sum: number; count: number }>`
    select coalesce(sum(rating_sum), 0) as sum, coalesce(sum(rating_count), 0) as count
    from products where store_id = ${store.id}
  `.execute(db)
  return rows[0] ?? { sum: 0, count: 0 }
}
