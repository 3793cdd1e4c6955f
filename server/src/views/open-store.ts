import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { statement } from '#platform/db/statement'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'

/** A store that the public may visit, with its owner. */
export interface OpenStore extends StoreRow {
  owner: { id: string; dateCreated: Date; username: string; allowMarketplace: boolean }
}

export async function findOpenStoreById(db: Db, id: string): Promise<OpenStore | undefined> {
  const [row] = await openStoreOf(db, { id })
  return withOwner(row)
}

const openStoreOf = statement((db, { id }: { id: string }) => openStores(db).where('stores.id', '=', id))

export async function loadOpenStore(db: Db, id: string): Promise<OpenStore> {
  const store = await findOpenStoreById(db, id)
  if (!store) throw notFound('store')
  return store
}

/** Open or closed, by label, in any case, or by proven custom domain. A label has no dot and a domain has one. */
export async function findStoreByUrl(db: Db, storeUrl: string): Promise<OpenStore | undefined> {
  const url = storeUrl.toLowerCase().replace(/\.$/, '')
  const [row] = url.includes('.')
    ? await storeOfDomain(db, { domain: domainToASCII(url) })
    : await storeOfLabel(db, { label: url })
  return withOwner(row)
}

const storeOfLabel = statement((db, { label }: { label: string }) =>
  stores(db).where(sql<string>`lower(stores.url)`, '=', label),
)

const storeOfDomain = statement((db, { domain }: { domain: string }) =>
  stores(db)
    .innerJoin('customDomains', 'customDomains.storeId', 'stores.id')
    .where('customDomains.domain', '=', domain)
    .where('customDomains.status', '=', 'active'),
)

export async function findOpenStoreByUrl(db: Db, storeUrl: string): Promise<OpenStore | undefined> {
  const store = await findStoreByUrl(db, storeUrl)
  return store?.closedAt === null ? store : undefined
}

/** The store of an id that a public address names alone. */
export function findStoreOf(
  db: Db,
  { kind, id }: { kind: 'product' | 'group'; id: string },
): Promise<OpenStore | undefined> {
  return openStores(db)
    .innerJoin('directory', 'directory.storeId', 'stores.id')
    .where('directory.id', '=', id)
    .where('directory.kind', '=', kind)
    .executeTakeFirst()
    .then(withOwner)
}

/** Neither closed nor of a disabled seller. */
function openStores(db: Db) {
  return stores(db).where('stores.closedAt', 'is', null).where('users.disabledAt', 'is', null)
}

/** Closed is also the store of a seller who is switched off. */
function stores(db: Db) {
  return db
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .selectAll('stores')
    .select(sql<Date | null>`coalesce(stores.closed_at, users.disabled_at)`.as('closedAt'))
    .select(['users.userName', 'users.dateCreated as ownerSince', 'users.allowMarketplace'])
}

function withOwner(
  row: (StoreRow & { userName: string; ownerSince: Date; allowMarketplace: boolean }) | undefined,
): OpenStore | undefined {
  if (!row) return undefined
  const { userName, ownerSince, allowMarketplace, ...store } = row
  return { ...store, owner: { id: store.ownerId, dateCreated: ownerSince, username: userName, allowMarketplace } }
}
