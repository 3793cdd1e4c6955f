import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { Paging } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import { type ProductDetails, productDetails } from './product.ts'

export interface MarketQuery extends Paging {
  words: readonly string[]
  /** Empty for any. */
  tag: string
  sort: 'relevance' | 'newest' | 'rated'
}

export type MarketStore = Pick<StoreRow, 'id' | 'name' | 'url' | 'preferredCurrency' | 'hideStatistics'> & {
  activeDomain: string | null
}

interface Window {
  limit: number
  offset: number
}

interface Part {
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

interface Place {
  storeId: string
  id: string
}

/** Nobody leafs further: beyond it nothing is counted. */
const reachMax = 1000
/** Among so many pages of very many, what is sold out comes last. */
const pagesABlock = 5
const tagsFrom = 500

/** Written as the indexes are. */
const isPublic = sql`products.visibility = 0 and products.deleted_at is null`

/** The public products of open stores whose sellers want them to be found. */
const offered = offeredAmong(sql`products`)

function offeredAmong(products: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    from ${products}
    join stores on stores.id = products.store_id and stores.closed_at is null
    join users on users.id = stores.owner_id and users.disabled_at is null and users.allow_marketplace
    where ${isPublic}
  `
}

/** Few ratings count less than many. */
const ratio = sql`(products.rating_sum + 15.0) / (products.rating_count + 5)`
const isRated = sql`(products.rating_count > 0 and not stores.hide_statistics)`
const rated = sql`case when ${isRated} then ${ratio} else 0 end desc, products.id desc`
const newest = sql`products.id desc`

const isSoldOut = sql`(
  not products.ignore_out_of_stock and not products.is_dynamic
  and (products.has_items or not exists (
    select from product_files file where file.store_id = products.store_id and file.product_id = products.id
  ))
  and coalesce((
    select sum(available) from product_counts counts
    where counts.store_id = products.store_id and counts.product_id = products.id
  ), 0) = 0
)`

/** A page of the products that hold all the words in their name or among their tags. */
export async function selectMarketPage(db: Db, query: MarketQuery) {
  const total = await countFound(db, query)
  const reach = Math.min(total, reachMax)
  const offset = (query.page - 1) * query.count
  const window = { limit: Math.min(query.count, reach - offset), offset }
  const select = total > reachMax ? selectOfMany : selectOfFew
  const places = offset < reach ? await select(db, query, window) : []
  return {
    found: reach,
    isMore: total > reach,
    pages: Math.ceil(reach / query.count),
    ...(await selectDetails(db, places)),
  }
}

/** The tags that most of the newest have. */
export async function selectMarketTags(db: Db, max: number): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select min(tag) as tag
    from (select products.tags ${offered} order by ${newest} limit ${tagsFrom}) newest, unnest(tags) tag
    group by lower(tag) order by count(*) desc, lower(tag) limit ${max}
  `.execute(db)
  return rows.map(({ tag }) => tag)
}

export function marketStores(db: Db) {
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
}

async function countFound(db: Db, query: MarketQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select ${found(query)} limit ${reachMax + 1}) found
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** All of them are looked at, so that their order is exact. */
async function selectOfFew(db: Db, query: MarketQuery, { limit, offset }: Window): Promise<Place[]> {
  const { sort, words } = query
  const phrase = literal(words.join(' '))
  const nearest = sql`case when products.name ilike ${phrase} then 0 when products.name ilike ${`${phrase}%`} then 1
    when products.name ilike ${`% ${phrase}%`} then 2 else 3 end`
  const best = sort === 'rated' || words.length === 0 ? rated : sql`${nearest}, ${rated}`
  const order = sort === 'newest' ? newest : sql`${isSoldOut}, ${best}`
  const { rows } = await sql<Place>`
    select products.store_id, products.id ${found(query)}
    order by ${order} limit ${limit} offset ${offset}
  `.execute(db)
  return rows
}

/** Walks along the indexes: of very many only those near the page are looked at. */
async function selectOfMany(db: Db, query: MarketQuery, { limit, offset }: Window): Promise<Place[]> {
  if (query.sort === 'newest') {
    return selectPart(db, query, { where: sql`true`, order: newest }, { limit, offset })
  }
  const size = query.count * pagesABlock
  const start = Math.floor(offset / size) * size
  const block = await walk(db, query, { limit: size, offset: start })
  const { rows } = await sql<{ id: string }>`
    select id from products
    where store_id = any(${block.map(({ storeId }) => storeId)}::uuid[])
      and id = any(${block.map(({ id }) => id)}::uuid[]) and ${isSoldOut}
  `.execute(db)
  const soldOut = new Set(rows.map(({ id }) => id))
  return block
    .toSorted((a, b) => Number(soldOut.has(a.id)) - Number(soldOut.has(b.id)))
    .slice(offset - start, offset - start + limit)
}

async function walk(db: Db, query: MarketQuery, { limit, offset }: Window): Promise<Place[]> {
  const places: Place[] = []
  let skipped = 0
  for (const part of partsOf(query)) {
    const window = { limit: limit - places.length, offset: Math.max(0, offset - skipped) }
    const some = await selectPart(db, query, part, window)
    places.push(...some)
    if (places.length === limit) break
    if (some.length === 0 && window.offset > 0)
      skipped += (await selectPart(db, query, part, { limit: window.offset, offset: 0 })).length
    else skipped = offset
  }
  return places
}

/** One after the other they are in order, and each is in the order of an index. */
function partsOf({ words, sort }: MarketQuery): Part[] {
  const byRating = [
    { where: isRated, order: sql`${ratio} desc, products.id desc` },
    { where: sql`not ${isRated}`, order: newest },
  ]
  if (sort === 'rated' || words.length === 0) return byRating
  const phrase = words.join(' ')
  const isNamed = sql`lower(products.name) = lower(${phrase}::text)`
  const begins = sql`lower(products.name) like lower(${`${literal(phrase)}%`}::text)`
  return [
    { where: isNamed, order: rated },
    { where: sql`${begins} and not ${isNamed}`, order: rated },
    ...byRating.map(({ where, order }) => ({ where: sql`${where} and not (${begins})`, order })),
  ]
}

async function selectPart(db: Db, query: MarketQuery, { where, order }: Part, window: Window): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select products.store_id, products.id ${offered} and ${matching(query)} and ${where}
    order by ${order} limit ${window.limit} offset ${window.offset}
  `.execute(db)
  return rows
}

async function selectDetails(
  db: Db,
  places: readonly Place[],
): Promise<{ products: ProductDetails[]; stores: MarketStore[] }> {
  if (places.length === 0) return { products: [], stores: [] }
  const ids = places.map(({ id }) => id)
  const storeIds = [...new Set(places.map(({ storeId }) => storeId))]
  const [rows, stores] = await Promise.all([
    productDetails(db, storeIds).where('products.id', '=', sql<string>`any(${ids}::uuid[])`).execute(),
    marketStores(db).where('stores.id', '=', sql<string>`any(${storeIds}::uuid[])`).execute(),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { products: ids.flatMap((id) => byId.get(id) ?? []), stores }
}

function matching({ words, tag }: MarketQuery): RawBuilder<unknown> {
  const tagged = (text: string) =>
    sql`exists (select from unnest(products.tags) each_tag where lower(each_tag) = lower(${text}::text))`
  const conditions = [
    ...words.map((word) => sql`(${named(word)} or ${tagged(word)})`),
    ...(tag === '' ? [] : [tagged(tag)]),
  ]
  return sql.join([sql`true`, ...conditions], sql` and `)
}

function named(word: string): RawBuilder<unknown> {
  const inside = `%${literal(word)}%`
  return isInitial(word) ? sql`' ' || products.name ilike ${`% ${literal(word)}%`}` : sql`products.name ilike ${inside}`
}

/** A single letter is where a word begins, but for scripts in which it can be one. */
function isInitial(text: string): boolean {
  return text.length === 1 && text < '\u{2E80}'
}

/** By the index of texts, before any store is asked for. */
function found(query: MarketQuery): RawBuilder<unknown> {
  const texts = [...query.words, query.tag].filter((text) => text !== '')
  const pieces = texts.map((text) => sql`letter_pairs(${isInitial(text) ? ` ${text}` : text}::text)`)
  if (pieces.length === 0) return sql`${offered} and ${matching(query)}`
  const some = sql`(
    select * from products
    where ${isPublic} and search_pieces(name, tags) @> (${sql.join(pieces, sql` || `)})
    offset 0
  ) products`
  return sql`${offeredAmong(some)} and ${matching(query)}`
}

/** Without the marks that a pattern would read. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, (mark) => `\\${mark}`)
}
