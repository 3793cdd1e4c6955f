import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { FileUploadRow, ProductRow } from './tables.ts'

export function selectFileUpload(db: Db, product: ProductRow, id: string): Promise<FileUploadRow | undefined> {
  return db
    .selectFrom('fileUploads')
    .selectAll()
    .where('storeId', '=', product.storeId)
    .where('productId', '=', product.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Those whose file is not there yet. */
export async function countFileUploads(tx: Tx, product: ProductRow): Promise<number> {
  const { total } = await tx
    .selectFrom('fileUploads')
    .where('storeId', '=', product.storeId)
    .where('productId', '=', product.id)
    .where('fileId', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function insertFileUpload(
  tx: Tx,
  product: ProductRow,
  upload: { friendlyName: string; bytes: number },
): Promise<FileUploadRow> {
  return tx
    .insertInto('fileUploads')
    .values({ storeId: product.storeId, productId: product.id, id: newId(), ...upload })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined when another part came first, or the upload is gone. */
export function appendPart(
  tx: Tx,
  { storeId, id }: FileUploadRow,
  part: { offset: number; bytes: number; storageKey: string },
): Promise<FileUploadRow | undefined> {
  return tx
    .updateTable('fileUploads')
    .set({
      receivedBytes: part.offset + part.bytes,
      partKeys: sql<string[]>`array_append(part_keys, ${part.storageKey})`,
      touchedAt: sql<Date>`now()`,
    })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('receivedBytes', '=', part.offset)
    .where('fileId', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when somebody else has put the parts together already. */
export function finishFileUpload(
  tx: Tx,
  { storeId, id }: FileUploadRow,
  fileId: string,
): Promise<FileUploadRow | undefined> {
  return tx
    .updateTable('fileUploads')
    .set({ fileId, partKeys: [], touchedAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('fileId', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Its parts; undefined when it is gone, or was touched within the given time. */
export async function deleteFileUpload(
  tx: Tx,
  { storeId, id }: { storeId: string; id: string },
  untouchedSeconds = 0,
): Promise<string[] | undefined> {
  const deleted = await tx
    .deleteFrom('fileUploads')
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where(sql<boolean>`touched_at <= now() - make_interval(secs => ${untouchedSeconds})`)
    .returning('partKeys')
    .executeTakeFirst()
  return deleted?.partKeys
}

export async function hasFileUpload(tx: Tx, { storeId, id }: { storeId: string; id: string }): Promise<boolean> {
  const found = await tx
    .selectFrom('fileUploads')
    .select('id')
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}
