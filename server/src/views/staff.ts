import { type Expression, sql, type SqlBool } from 'kysely'
import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import { type Paging, paginate } from '#platform/db/paging'
import { fromMinor } from '#platform/money/money'
import { notFound } from '#problem'

interface Search extends Paging {
  search: string | null
}

const storesOfUserMax = 20

/** Newest first. */
export function selectStaffStorePage(db: Db, config: Config, { search, ...paging }: Search) {
  const isSought = matching(search, ['stores.name', 'stores.url', 'owner.email_address', 'owner.user_name'])
  return paginate(
    paging,
    async () => {
      const { total } = await db
        .selectFrom('stores')
        .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
        .where(isSought)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    async ({ limit, offset }) => {
      const rows = await stores(db).where(isSought).orderBy('stores.id', 'desc').limit(limit).offset(offset).execute()
      return rows.map((row) => toStore(config, row))
    },
  )
}

export async function loadStaffStore(db: Db, config: Config, storeId: string) {
  const row = await stores(db).where('stores.id', '=', storeId).executeTakeFirst()
  if (!row) throw notFound('store')
  return toStore(config, row)
}

function stores(db: Db) {
  return db
    .selectFrom('stores')
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .leftJoin('customDomains as domain', (join) =>
      join.onRef('domain.storeId', '=', 'stores.id').on('domain.status', '=', 'active'),
    )
    .select((eb) => [
      'stores.id',
      'stores.dateCreated',
      'stores.name',
      'stores.url',
      'stores.isVerified',
      'stores.closedAt',
      'stores.ownerId',
      'domain.domain as activeDomain',
      'owner.userName',
      'owner.emailAddress',
      'owner.disabledAt',
      eb
        .selectFrom('products')
        .whereRef('products.storeId', '=', 'stores.id')
        .where('products.deletedAt', 'is', null)
        .select((count) => count.fn.countAll<number>().as('products'))
        .as('products'),
      eb
        .selectFrom('storeReports')
        .whereRef('storeReports.storeId', '=', 'stores.id')
        .where('storeReports.resolvedAt', 'is', null)
        .select((count) => count.fn.countAll<number>().as('reports'))
        .as('openReports'),
    ])
}

type StoreColumns = Awaited<ReturnType<ReturnType<typeof stores>['executeTakeFirstOrThrow']>>

function toStore(config: Config, { closedAt, ownerId, userName, emailAddress, disabledAt, ...store }: StoreColumns) {
  const { url, activeDomain } = store
  return {
    ...store,
    products: store.products ?? 0,
    openReports: store.openReports ?? 0,
    address: storeOrigin(config, { url, activeDomain }),
    isOpen: closedAt === null && disabledAt === null,
    owner: { id: ownerId, userName, emailAddress, isDisabled: disabledAt !== null },
  }
}

/** Newest first. */
export function selectStaffProductPage(db: Db, storeId: string, { search, ...paging }: Search) {
  const isSought = matching(search, ['products.name'])
  const own = products(db, storeId).where(isSought)
  return paginate(
    paging,
    async () => {
      const { total } = await db
        .selectFrom('products')
        .where('storeId', '=', storeId)
        .where(isSought)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    async ({ limit, offset }) =>
      (await own.orderBy('products.id', 'desc').limit(limit).offset(offset).execute()).map(toProduct),
  )
}

export async function loadStaffProduct(db: Db, { storeId, id }: { storeId: string; id: string }) {
  const row = await products(db, storeId).where('products.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('product')
  return toProduct(row)
}

/** Deleted ones too: they can be brought back. */
function products(db: Db, storeId: string) {
  return db
    .selectFrom('products')
    .innerJoin('stores', 'stores.id', 'products.storeId')
    .where('products.storeId', '=', storeId)
    .select(['products.id', 'products.dateCreated', 'products.name', 'products.visibility', 'products.costMinor'])
    .select('products.deletedAt')
    .select('stores.preferredCurrency as currency')
}

type ProductColumns = Awaited<ReturnType<ReturnType<typeof products>['executeTakeFirstOrThrow']>>

function toProduct({ costMinor, deletedAt, ...product }: ProductColumns) {
  return { ...product, isDeleted: deletedAt !== null, cost: fromMinor(costMinor, product.currency) }
}

/** Newest first. */
export function selectStaffUserPage(db: Db, { search, isDisabled, ...paging }: Search & { isDisabled: boolean }) {
  const isSought = sql<SqlBool>`${matching(search, ['users.user_name', 'users.email_address'])}
    and (not ${isDisabled}::boolean or users.disabled_at is not null)`
  return paginate(
    paging,
    async () => {
      const { total } = await db
        .selectFrom('users')
        .where(isSought)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    async ({ limit, offset }) =>
      withStores(db, await users(db).where(isSought).orderBy('id', 'desc').limit(limit).offset(offset).execute()),
  )
}

export async function loadStaffUser(db: Db, userId: string) {
  const [user] = await withStores(db, await users(db).where('id', '=', userId).execute())
  if (!user) throw notFound('user')
  return user
}

function users(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'dateCreated', 'userName', 'emailAddress', 'isStaff', 'disabledReason'])
    .select(['disabledAt as dateDisabled', sql<boolean>`email_confirmed_at is not null`.as('isConfirmed')])
}

async function withStores<User extends { id: string }>(db: Db, found: readonly User[]) {
  const ids = found.map(({ id }) => id)
  const owned = await db
    .selectFrom('stores')
    .where('ownerId', '=', sql<string>`any(${ids}::uuid[])`)
    .select(['id', 'name', 'url', 'ownerId'])
    .orderBy('id')
    .execute()
  const byOwner = Map.groupBy(owned, ({ ownerId }) => ownerId)
  return found.map((user) => ({ ...user, stores: (byOwner.get(user.id) ?? []).slice(0, storesOfUserMax) }))
}

function matching(search: string | null, columns: readonly string[]): Expression<SqlBool> {
  if (search === null || search.trim() === '') return sql<SqlBool>`true`
  const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`
}
