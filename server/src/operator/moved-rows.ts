import { performers } from '#background'
import { imageKeysOf } from '#products/image-name'
import { CommandMistake } from './mistake.ts'
import type { Row } from './resealing.ts'

/** A file may come from anybody: what it brings belongs to its own store, or is not taken. */
export function refuseForeign(
  table: string,
  rows: readonly Row[],
  { tables, storeId }: { tables: readonly string[]; storeId: string },
): void {
  const isOwn = rows.every((row) => {
    if (table === 'stores') return row['id'] === storeId
    if (table === 'jobs') return Object(row['data'])['storeId'] === storeId && isWorkOfStores(row['queue'])
    // These two name no store; what they belong to is looked up when they are written.
    return ['crypto_wallets', 'crypto_moves'].includes(table) || row['store_id'] === storeId
  })
  if (tables.includes(table) && isOwn) return
  throw new CommandMistake(`The file holds what is not of its store, in ${table}; nothing was imported`)
}

function isWorkOfStores(queue: unknown): boolean {
  return performers.some(({ job }) => job.name === queue && 'storeId' in Object(Object(job.schema)['properties']))
}

/** Where the pictures and files are stored that these rows name. */
export function storedKeysIn(table: string, rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const names = table === 'stores' ? [row['logo_name']] : table === 'products' ? row['image_names'] : []
    const pictures = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
    const key = row['storage_key']
    return [...pictures.flatMap((name) => imageKeysOf(name)), ...(typeof key === 'string' ? [key] : [])]
  })
}
