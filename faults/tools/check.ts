import type { Client } from 'pg'
import { listStoreActs } from '../../contract/src/endpoints/audit-log.ts'
import { imageKeysOf } from '../../server/src/products/image-name.ts'
import { messageFaults } from './check-messages.ts'
import { tableFaults } from './check-tables.ts'
import { nameOfWhole } from './files.ts'
import type { Ledger } from './ledger.ts'
import type { World } from './world.ts'
import type { Wrong } from './wrong.ts'

type Check = (client: Client) => Promise<Wrong>

/** Everything that must hold once things have settled: what clients were told, against what the tables and disk hold. */
export async function check(world: World, more: readonly Check[]): Promise<Wrong> {
  const client = await world.database.connect()
  try {
    // Shown acts are numbered first; otherwise that waits for its minute.
    const seller = world.requests.client(() => world.servers[0]?.port ?? 0, {
      authorization: `Bearer ${world.apiKey}`,
    })
    await seller(listStoreActs, { path: { storeId: world.shop.storeId, page: 1 } })
    const found: Wrong = {
      ...(await tableFaults(client, world)),
      ...(await messageFaults(client, world)),
      ...(await fileFaults(client, world)),
      ...findingsOf(world.ledger),
      ...Object.fromEntries([...world.requests.unexpected].map(([what, count]) => [`answer: ${what}`, count])),
      ...Object.fromEntries(world.servers.filter((server) => server.hasDied()).map(() => ['servers that ended', 1])),
    }
    for (const each of more) Object.assign(found, await each(client))
    return Object.fromEntries(Object.entries(found).filter(([, count]) => count !== 0))
  } finally {
    await client.end()
  }
}

function findingsOf({ findings }: Ledger): Wrong {
  return Object.fromEntries(findings)
}

/** Each file product has one file: the last that was acknowledged, or one sent after it; whole, and nothing beside it. */
export async function fileFaults(client: Client, { shop, ledger, blobs }: World): Promise<Wrong> {
  const rows = await client.query<{ product_id: string; storage_key: string; bytes: string }>(
    'select product_id, storage_key, bytes from product_files where store_id = $1',
    [shop.storeId],
  )
  const wrong: Wrong = {}
  const add = (what: string) => (wrong[what] = (wrong[what] ?? 0) + 1)
  const stored = new Map(await blobs())
  for (const { product_id, storage_key, bytes } of rows.rows) {
    const blob = stored.get(storage_key)
    stored.delete(storage_key)
    if (!blob) {
      add('lost files')
      continue
    }
    const name = nameOfWhole(blob.toString())
    const files = ledger.files.get(product_id)
    if (blob.length !== Number(bytes) || name === undefined) add('half files')
    else if (files && files.sent.indexOf(name) < files.lastAcknowledged) add('lost files (an older one is there)')
  }
  const acknowledged = [...ledger.files.values()].filter(({ lastAcknowledged }) => lastAcknowledged >= 0).length
  if (rows.rows.length < acknowledged) add('lost files (their rows)')
  if (rows.rows.length > shop.files.length) add('doubled files')
  for (const key of await keysOfOthers(client, shop)) if (!stored.delete(key)) add('lost files (of another store)')
  for (const key of stored.keys()) add(`orphan files under ${key.split('/')[0]}`)
  return wrong
}

/** What the rows of all other stores name. */
async function keysOfOthers(client: Client, { storeId }: World['shop']): Promise<string[]> {
  const files = await client.query<{ key: string }>(
    `select storage_key as key from product_files where store_id <> $1
     union all select unnest(part_keys) from file_uploads where store_id <> $1`,
    [storeId],
  )
  const images = await client.query<{ name: string }>(
    'select unnest(image_names) as name from products where store_id <> $1',
    [storeId],
  )
  return [...files.rows.map(({ key }) => key), ...images.rows.flatMap(({ name }) => imageKeysOf(name))]
}
