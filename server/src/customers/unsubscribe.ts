import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import type { Db, Tx } from '#platform/db/database'
import { keyedHash } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { isSameSecret } from '#platform/secrets/tokens'
import type { StoreRow } from '#stores/tables'
import { markUnsubscribed, selectCustomer } from './queries.ts'
import type { CustomerRow } from './tables.ts'

type Reader = Pick<CustomerRow, 'storeId' | 'id'>

/** Good for ever and without signing in: whoever has the mail may stop more of it. */
export function unsubscribeLink(
  config: Config,
  secrets: SecretKey,
  store: { url: string; activeDomain: string | null },
  reader: Reader,
): string {
  return `${storeOrigin(config, store)}/unsubscribe/${reader.id}?key=${keyOf(secrets, reader)}`
}

/** Undefined without the key of a mail. */
export async function findReader(
  db: Db,
  secrets: SecretKey,
  store: StoreRow,
  { id, key }: { id: string; key: string },
): Promise<CustomerRow | undefined> {
  if (!isSameSecret(keyOf(secrets, { storeId: store.id, id }), key)) return undefined
  return selectCustomer(db, store, id)
}

/** Mails about orders and tickets still come. */
export function unsubscribe(tx: Tx, reader: Reader): Promise<void> {
  return markUnsubscribed(tx, reader)
}

function keyOf(secrets: SecretKey, { storeId, id }: Reader): string {
  return keyedHash(secrets.derive('unsubscribe'), JSON.stringify([storeId, id]))
    .subarray(0, 16)
    .toString('base64url')
}
