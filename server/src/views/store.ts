import { type Scope, scopeNamed, scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import type { CouponRow } from '#coupons/tables'
import { storeHost } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import type { Caller, OwnStore } from '#platform/http/caller'
import { fromMinor } from '#platform/money/money'
import { openWebhookSecret } from '#platform/secrets/webhook-secret'
import { type ProductDetails, selectProductDetails, toCard, toProduct } from './product.ts'
import { byId, type GroupDetails, productsOf, selectGroupDetails } from './product-group.ts'
import { type Means, toSocialMediaAccounts } from './public-store.ts'

const daysOfVisitsMax = 365

/** As its seller sees it; what is embedded obeys the scope of its own endpoint. */
export async function selectStore(db: Db, means: Means, own: OwnStore) {
  const catalogues = await selectCatalogues(db, [own])
  return toStore(means, own, catalogues.of(own))
}

/** Those that the user owns or is a member of and the key may see, oldest first. */
export async function selectStoresOfUser(db: Db, means: Means, caller: Caller) {
  const owns = (await selectOwnStores(db, caller)).filter(({ rights }) => rights.has('ViewStores'))
  if (owns.length === 0) return []
  const catalogues = await selectCatalogues(db, owns)
  return owns.map((own) => toStoreOfUser(means, own, catalogues.of(own)))
}

interface StoreOfUser extends OwnStore {
  /** What the user may do there, whatever the key may. */
  userScopes: readonly Scope[]
}

async function selectOwnStores(db: Db, caller: Caller): Promise<StoreOfUser[]> {
  const rows = await db
    .selectFrom('stores')
    .leftJoin('storeMembers', (join) =>
      join.onRef('storeMembers.storeId', '=', 'stores.id').on('storeMembers.userId', '=', caller.userId),
    )
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .where('owner.disabledAt', 'is', null)
    .where('stores.closedAt', 'is', null)
    .where((eb) => eb.or([eb('stores.ownerId', '=', caller.userId), eb('storeMembers.userId', 'is not', null)]))
    .$if(caller.storeIds !== null, (query) => query.where('stores.id', '=', sql<string>`any(${caller.storeIds})`))
    .selectAll('stores')
    .select('storeMembers.scopes as memberScopes')
    .orderBy('stores.id')
    .execute()
  return rows.map(({ memberScopes, ...store }) => {
    const userScopes =
      store.ownerId === caller.userId ? scopeNames : (memberScopes ?? []).flatMap((name) => scopeNamed(name) ?? [])
    return { store, userScopes, rights: new Set(userScopes.filter((scope) => caller.scopes.has(scope))) }
  })
}

interface Catalogue {
  products: ProductDetails[]
  groups: GroupDetails[]
  coupons: CouponRow[]
  visits: { id: string; dateCreated: string; visits: number }[]
  domain: { domain: string; isActive: boolean } | undefined
  grossMinor: number
}

/** A fixed number of statements, however many stores. Only what each caller may see is fetched. */
async function selectCatalogues(db: Db, owns: OwnStore[]) {
  const ids = owns.map(({ store }) => store.id)
  const idsWith = (scope: Scope) => owns.filter(({ rights }) => rights.has(scope)).map(({ store }) => store.id)
  const withProducts = idsWith('ViewProducts')
  const withCoupons = idsWith('ViewCoupons')
  const [products, groups, coupons, visits, domains, gross] = await Promise.all([
    withProducts.length === 0 ? [] : selectProductDetails(db, withProducts),
    withProducts.length === 0 ? [] : selectGroupDetails(db, withProducts),
    withCoupons.length === 0 ? [] : selectCoupons(db, withCoupons),
    selectVisits(db, ids),
    selectDomains(db, ids),
    selectGross(db, ids),
  ])
  const rows = {
    products: Map.groupBy(products, (row) => row.storeId),
    groups: Map.groupBy(groups, (row) => row.storeId),
    coupons: Map.groupBy(coupons, (row) => row.storeId),
    visits: Map.groupBy(visits, (row) => row.storeId),
    domains: new Map(domains.map((row) => [row.storeId, row])),
    gross: new Map(gross.map((row) => [row.storeId, row.grossMinor])),
  }
  return {
    of: ({ store }: OwnStore): Catalogue => ({
      products: rows.products.get(store.id) ?? [],
      groups: rows.groups.get(store.id) ?? [],
      coupons: rows.coupons.get(store.id) ?? [],
      visits: rows.visits.get(store.id) ?? [],
      domain: rows.domains.get(store.id),
      grossMinor: rows.gross.get(store.id) ?? 0,
    }),
  }
}

function selectVisits(db: Db, storeIds: string[]) {
  return db
    .selectFrom('storeVisits')
    .where('storeId', '=', sql<string>`any(${storeIds})`)
    .where('day', '>', sql<string>`(now() at time zone 'UTC')::date - ${daysOfVisitsMax}::integer`)
    .select(['storeId', 'id', 'visits', sql<string>`to_char(day, 'YYYY-MM-DD"T00:00:00.000Z"')`.as('dateCreated')])
    .orderBy('day', 'desc')
    .execute()
}

function selectDomains(db: Db, storeIds: string[]) {
  return db
    .selectFrom('customDomains')
    .where('storeId', '=', sql<string>`any(${storeIds})`)
    .select((eb) => ['storeId', 'domain', eb('status', '=', 'active').as('isActive')])
    .$castTo<{ storeId: string; domain: string; isActive: boolean }>()
    .execute()
}

/** What was earned in the currency that the store has now. */
function selectGross(db: Db, storeIds: string[]) {
  return db
    .selectFrom('storeDays')
    .innerJoin('stores', 'stores.id', 'storeDays.storeId')
    .where('storeDays.storeId', '=', sql<string>`any(${storeIds})`)
    .whereRef('storeDays.currency', '=', 'stores.preferredCurrency')
    .select(['storeDays.storeId', sql<number>`sum(store_days.paid_minor - store_days.refunded_minor)`.as('grossMinor')])
    .groupBy('storeDays.storeId')
    .execute()
}

/** Newest first. */
function selectCoupons(db: Db, storeIds: string[]) {
  return db
    .selectFrom('coupons')
    .where('storeId', '=', sql<string>`any(${storeIds})`)
    .where('deletedAt', 'is', null)
    .selectAll()
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function toStore({ secrets }: Means, { store, rights }: OwnStore, catalogue: Catalogue) {
  const products = byId(catalogue.products.map((row) => toProduct(row, store)))
  return {
    ...store,
    customDomain: catalogue.domain?.domain ?? null,
    gross: fromMinor(catalogue.grossMinor, store.preferredCurrency),
    theme: { id: store.themeId, dateCreated: store.dateCreated, properties: store.themeProperties },
    products: [...products.values()],
    groupedProducts: catalogue.groups.map((group) => ({
      id: group.id,
      dateCreated: group.dateCreated,
      name: group.name,
      order: group.position,
      products: productsOf(group, products),
    })),
    visits: catalogue.visits,
    socialMediaAccounts: toSocialMediaAccounts(store),
    coupons: catalogue.coupons,
    webhookSecret: rights.has('UpdateStores') ? openWebhookSecret(secrets, store) : '',
  }
}

function toStoreOfUser(means: Means, own: StoreOfUser, catalogue: Catalogue) {
  const { store } = own
  const activeDomain = catalogue.domain?.isActive ? catalogue.domain.domain : null
  const featured = catalogue.products.find((row) => row.id === store.featuredProductId)
  return {
    ...toStore(means, own, catalogue),
    featuredProduct: featured ? toFeaturedProduct(featured, store) : null,
    scopes: own.userScopes,
    isChatBotConfigured: false,
    domain: storeHost(means.config, { url: store.url, activeDomain }),
  }
}

function toFeaturedProduct(row: ProductDetails, store: OwnStore['store']) {
  const type: 0 | 1 = row.type === 1 ? 1 : 0
  return {
    ...toCard(row, store, { areStatisticsHidden: false }),
    type,
    chatRoleId: null,
    requireChatAuthorization: false,
    useChatIntegration: false,
  }
}
