import { listedVisibilities, reachableVisibilities } from '@keystall/contract/shapes/product'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { ProductGroupRow } from '#product-groups/tables'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { findStoreOf, type OpenStore } from './open-store.ts'
import { type ProductDetails, productDetails, selectProductDetails } from './product.ts'
import { type Audience, type Reference, toReference } from './product-reference.ts'
import {
  briefly,
  type Means,
  type PublicStoreView,
  selectFigures,
  selectPublicStore,
  toPublicStore,
} from './public-store.ts'

/** A group with the ids of what it holds. */
export interface GroupDetails extends ProductGroupRow {
  productIds: string[]
}

/** Callers narrow and sort it. */
function groupDetails(db: Db, storeIds: string[]) {
  return db
    .selectFrom('productGroups')
    .selectAll('productGroups')
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('productGroupMembers')
            .whereRef('productGroupMembers.storeId', '=', 'productGroups.storeId')
            .whereRef('productGroupMembers.groupId', '=', 'productGroups.id')
            .select(sql<string[]>`array_agg(product_id)`.as('productIds')),
          sql<string[]>`'{}'::uuid[]`,
        )
        .as('productIds'),
    )
    .where('productGroups.storeId', '=', sql<string>`any(${storeIds})`)
}

/** Every group of the stores, in the order in which a store shows them. */
export function selectGroupDetails(db: Db, storeIds: string[]): Promise<GroupDetails[]> {
  return groupDetails(db, storeIds).orderBy('productGroups.position').orderBy('productGroups.id').execute()
}

/** The group's own products, in the order of the given ones, which are the store's in its order. */
export function productsOf<Row extends { id: string }>(group: GroupDetails, products: Map<string, Row>): Row[] {
  const wanted = new Set(group.productIds)
  if (wanted.size * 8 > products.size) return [...products.values()].filter((product) => wanted.has(product.id))
  const places = new Map([...products.keys()].map((id, place) => [id, place]))
  return [...wanted]
    .flatMap((id) => products.get(id) ?? [])
    .toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

export function byId<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** As its seller sees it. */
export async function loadProductGroup(
  db: Db,
  means: Means,
  store: StoreRow,
  group: ProductGroupRow,
): Promise<GroupView> {
  const [view] = await presentGroups(db, means, store, [group.id], 'seller')
  if (!view) throw notFound('product group')
  return view
}

/** Newest first. */
export async function selectProductGroupPage(
  db: Db,
  means: Means,
  store: StoreRow,
  paging: Paging,
): Promise<Page<GroupView>> {
  const page = await paginate(
    paging,
    () => countGroups(db, store),
    ({ limit, offset }) =>
      db
        .selectFrom('productGroups')
        .where('storeId', '=', store.id)
        .select('id')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
  const ids = page.data.map((group) => group.id)
  return { pages: page.pages, data: await presentGroups(db, means, store, ids, 'seller') }
}

/** What the group's page shows; private products are left out. Undefined when there is no such group in an open store. */
export async function findPublicGroup(db: Db, means: Means, groupId: string) {
  const store = await findStoreOf(db, { kind: 'group', id: groupId })
  if (!store) return undefined
  const [group] = await presentGroups(db, means, store, [groupId], 'public')
  return group && { store, group }
}

async function presentGroups(db: Db, means: Means, store: StoreRow, ids: string[], audience: Audience) {
  if (ids.length === 0) return []
  const members = db
    .selectFrom('productGroupMembers')
    .where('storeId', '=', store.id)
    .where('groupId', '=', sql<string>`any(${ids})`)
    .select('productId')
  const [nested, groups, rows] = await Promise.all([
    selectPublicStore(db, means, store),
    groupDetails(db, [store.id])
      .where('productGroups.id', '=', sql<string>`any(${ids})`)
      .orderBy('productGroups.id', 'desc')
      .execute(),
    productDetails(db, [store.id])
      .where('products.id', 'in', members)
      .orderBy('products.position')
      .orderBy('products.id')
      .execute(),
  ])
  const brief = briefly(nested)
  const seen = rows.filter((row) => audience === 'seller' || reachableVisibilities.includes(row.visibility))
  const products = byId(seen.map((row) => toReference(row, store, brief, audience)))
  return groups.map((group) => toGroup(group, products))
}

async function countGroups(db: Db, store: StoreRow): Promise<number> {
  const { total } = await db
    .selectFrom('productGroups')
    .where('storeId', '=', store.id)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export type GroupView = ReturnType<typeof toGroup>

function toGroup(group: GroupDetails, products: Map<string, Reference>) {
  const { id, dateCreated, name, position } = group
  return { id, dateCreated, name, order: position, products: productsOf(group, products) }
}

/** Everything that the store's home page shows. */
export async function selectStoreView(db: Db, { config }: Means, store: OpenStore) {
  const [figures, rows, groups] = await Promise.all([
    selectFigures(db, store),
    selectProductDetails(db, [store.id]),
    selectGroupDetails(db, [store.id]),
  ])
  const publicStore = toPublicStore(config, store, figures, featuredIn(rows, store))
  const products = byId(listed(rows, store, briefly(publicStore)))
  return {
    ...publicStore,
    owner: store.owner,
    products: [...products.values()],
    groupedProducts: groups.map((group) => toGroup(group, products)),
  }
}

function featuredIn(rows: ProductDetails[], store: StoreRow): ProductDetails | undefined {
  return store.featuredProductId === null ? undefined : rows.find((row) => row.id === store.featuredProductId)
}

function listed(rows: ProductDetails[], store: StoreRow, nested: PublicStoreView): Reference[] {
  return rows
    .filter((row) => listedVisibilities.includes(row.visibility))
    .map((row) => toReference(row, store, nested, 'public'))
}
