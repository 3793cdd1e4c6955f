import { listedVisibilities } from '@keystall/contract/shapes/product'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { paginate, type Paging } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import { productDetails } from './product.ts'

export interface MarketQuery extends Paging {
  words: readonly string[]
  /** Empty for any. */
  tag: string
  sort: 'relevance' | 'newest' | 'rated'
}

export type MarketStore = Pick<StoreRow, 'id' | 'name' | 'url' | 'preferredCurrency' | 'hideStatistics'> & {
  activeDomain: string | null
}

/** Open stores whose sellers want their products to be found. */
export function selectMarketStores(db: Db): Promise<MarketStore[]> {
  return db
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .leftJoin('customDomains', (join) =>
      join.onRef('customDomains.storeId', '=', 'stores.id').on('customDomains.status', '=', 'active'),
    )
    .where('stores.closedAt', 'is', null)
    .where('users.disabledAt', 'is', null)
    .where('users.allowMarketplace', '=', true)
    .select(['stores.id', 'stores.name', 'stores.url', 'stores.preferredCurrency', 'stores.hideStatistics'])
    .select('customDomains.domain as activeDomain')
    .execute()
}

/** A page of the public products of these stores that hold all the words in their name or among their tags. */
export async function selectMarketPage(db: Db, stores: readonly MarketStore[], query: MarketQuery) {
  const storeIds = stores.map(({ id }) => id)
  const matching = sql`
    from products
    where store_id = any(${storeIds}::uuid[]) and visibility = any(${[...listedVisibilities]}::smallint[])
      and deleted_at is null and ${sql.join([sql`true`, ...conditionsOf(query)], sql` and `)}
  `
  let found = 0
  const { pages, data } = await paginate(
    query,
    async () => {
      const { rows } = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db)
      found = rows[0]?.total ?? 0
      return found
    },
    async ({ limit, offset }) => {
      const order = orderOf(query, stores)
      const page = sql<{ id: string }>`select id ${matching} order by ${order} limit ${limit} offset ${offset}`
      return (await page.execute(db)).rows
    },
  )
  const ids = data.map(({ id }) => id)
  const rows = await productDetails(db, storeIds).where('products.id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { pages, found, products: ids.flatMap((id) => byId.get(id) ?? []) }
}

/** The tags that most of them have. */
export async function selectMarketTags(db: Db, stores: readonly MarketStore[], max: number): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select min(tag) as tag
    from products, unnest(tags) tag
    where store_id = any(${stores.map(({ id }) => id)}::uuid[])
      and visibility = any(${[...listedVisibilities]}::smallint[]) and deleted_at is null
    group by lower(tag) order by count(*) desc, lower(tag) limit ${max}
  `.execute(db)
  return rows.map(({ tag }) => tag)
}

function conditionsOf({ words, tag }: MarketQuery): RawBuilder<unknown>[] {
  const tagged = (text: string) =>
    sql`exists (select from unnest(tags) each_tag where lower(each_tag) = lower(${text}::text))`
  return [
    ...words.map((word) => sql`(name ilike ${`%${literal(word)}%`} or ${tagged(word)})`),
    ...(tag === '' ? [] : [tagged(tag)]),
  ]
}

/** Hidden ratings count as none; few ratings count less than many. */
function orderOf({ words, sort }: MarketQuery, stores: readonly MarketStore[]): RawBuilder<unknown> {
  const hiddenIds = stores.filter(({ hideStatistics }) => hideStatistics).map(({ id }) => id)
  const rated = sql`case when store_id = any(${hiddenIds}::uuid[]) then 0
    else (rating_sum + 15.0) / (rating_count + 5) * sign(rating_count) end desc`
  if (sort === 'newest') return sql`id desc`
  if (sort === 'rated') return sql`${rated}, id desc`
  const phrase = literal(words.join(' '))
  const nearest = sql`case when name ilike ${phrase} then 0 when name ilike ${`${phrase}%`} then 1
    when name ilike ${`% ${phrase}%`} then 2 else 3 end`
  return words.length === 0 ? sql`${rated}, id desc` : sql`${nearest}, ${rated}, id desc`
}

/** Without the marks that a pattern would read. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, (mark) => `\\${mark}`)
}
