import { Kysely, type KyselyPlugin } from 'kysely'
import type { Platform } from '../../server/src/platform/platform.ts'
import type { Storage } from '../../server/src/platform/storage/storage.ts'

type Answered = () => Promise<never>

/** What a job is given, changed so that it gets no further than the first answer of the database or of the storage. */
export function holding(given: readonly unknown[], answered: Answered): unknown[] {
  return given.map((each) => {
    if (each instanceof Kysely) return heldDatabase(each, answered)
    if (isPlatform(each)) return heldPlatform(each, answered)
    const { platform } = Object(each)
    return isPlatform(platform) ? { ...Object(each), platform: heldPlatform(platform, answered) } : each
  })
}

function isPlatform(value: unknown): value is Platform {
  return Object(value).storage !== undefined
}

function heldPlatform(platform: Platform, answered: Answered): Platform {
  const storage = heldStorage(platform.storage, answered)
  return { ...platform, storage, db: heldDatabase(platform.db, answered) }
}

function heldDatabase<Tables>(db: Kysely<Tables>, answered: Answered): Kysely<Tables> {
  const plugin: KyselyPlugin = { transformQuery: ({ node }) => node, transformResult: answered }
  return db.withPlugin(plugin)
}

function heldStorage(storage: Storage, answered: Answered): Storage {
  return {
    put: (key, stream, limits) => storage.put(key, stream, limits).then(answered),
    read: (key, range) => storage.read(key, range).then(answered),
    remove: (key) => storage.remove(key).then(answered),
    exists: (key) => storage.exists(key).then(answered),
    async *list(prefix) {
      for await (const _ of storage.list(prefix)) break
      yield answered()
    },
    removeLeftOvers: () => storage.removeLeftOvers().then(answered),
  }
}
