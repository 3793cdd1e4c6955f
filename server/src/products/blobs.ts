import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { createTurns } from '#platform/turns/turns'
import { unavailable } from '#problem'
import { claimForgotten, deleteDoomed, deleteRemoved, insertDoomed, touchDoomed } from './blob-queries.ts'

type Means = Pick<Platform, 'db' | 'storage' | 'log'>

const touchSeconds = 10
/** An upload that has not touched its line for this long is dead. */
const forgottenSeconds = 35
const removedAtOnce = 100
/** A hundred uploads that begin or break off together leave the database to everybody else. */
const inTurn = createTurns({ atOnce: 2, waitingMax: 1000 })

export const removeBlobsJob = job('remove-blobs', Type.Object({ storageKeys: Type.Array(Type.String()) }))
export const removeForgottenBlobsJob = job('remove-forgotten-blobs', Type.Object({}))

/** Stores bytes under keys that no row names yet. Unless `keepBlobs` follows, they go away, whatever happens to us. */
export async function storeBlobs<T>(means: Means, storageKeys: readonly string[], store: () => Promise<T>): Promise<T> {
  await inTurn(() => insertDoomed(means.db, storageKeys, false))
  const stopTouching = keepTouching(means, storageKeys)
  try {
    return await store()
  } catch (error) {
    await removeBlobs(means, storageKeys)
    throw error
  } finally {
    stopTouching()
  }
}

/** In the transaction whose rows name them from now on. */
export async function keepBlobs(tx: Tx, storageKeys: readonly string[]): Promise<void> {
  const kept = await deleteDoomed(tx, storageKeys)
  // We were asleep for so long that somebody took the upload for dead.
  if (kept !== storageKeys.length) throw unavailable()
}

/** In the transaction whose rows name them no longer. The bytes go after its commit. */
export async function dropBlobsLater(tx: Tx, storageKeys: readonly string[]): Promise<void> {
  if (storageKeys.length === 0) return
  await insertDoomed(tx, storageKeys, true)
  await enqueue(tx, removeBlobsJob, { storageKeys: [...storageKeys] })
}

/** Bytes that were stored and are not wanted after all. A storage that is away is asked again later. */
export async function removeBlobs({ db, storage, log }: Means, storageKeys: readonly string[]): Promise<void> {
  try {
    await inTurn(() => insertDoomed(db, storageKeys, true))
    for (const key of storageKeys) await storage.remove(key)
    await inTurn(() => deleteRemoved(db, storageKeys))
  } catch (error) {
    log.warn({ err: error }, 'unwanted bytes are removed later')
  }
}

export async function removeForgottenBlobs({ db, storage }: Means): Promise<void> {
  let forgotten: string[]
  do {
    forgotten = await claimForgotten(db, forgottenSeconds, removedAtOnce)
    for (const key of forgotten) await storage.remove(key)
    await deleteRemoved(db, forgotten)
  } while (forgotten.length === removedAtOnce)
}

function keepTouching({ db, log }: Means, storageKeys: readonly string[]): () => void {
  const timer = setInterval(() => {
    inTurn(() => touchDoomed(db, storageKeys)).catch((error: unknown) =>
      log.warn({ err: error }, 'an upload could not be touched'),
    )
  }, touchSeconds * 1000).unref()
  return () => clearInterval(timer)
}
