import * as contract from '@keystall/contract/endpoints/stores'
import { transact } from '#platform/db/transaction'
import { mayBeKept } from '#platform/http/caching'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { readUpload } from '#platform/http/uploads'
import { notFound } from '#problem'
import { discardImage, storeImage } from '#products/images'
import { findOpenStoreById, findOpenStoreByUrl } from '#views/open-store'
import { selectStoreView } from '#views/product-group'
import { selectStore } from '#views/store'
import { toStoreSettings } from '#views/store-settings'
import { logoBytesMax, removeLogo, replaceLogo } from './logo.ts'
import { arrangeStore } from './ordering.ts'
import { changeStore, createStore, rotateWebhookSecret } from './store.ts'

export const storeRoutes: Implementation[] = [
  implement(contract.createStore, ({ platform, caller, rights, body, once }) =>
    once(async (tx) => {
      const store = await createStore(tx, platform, caller, body)
      return ok(await selectStore(tx, platform, { store, rights }), 'The store is open')
    }),
  ),

  implement(contract.getStore, async ({ db, platform, store, rights }) =>
    ok(await selectStore(db, platform, { store, rights })),
  ),

  implement(contract.updateStore, async ({ db, platform, store, rights, body }) => {
    const changed = await transact(db, (tx) => changeStore(tx, platform, store, body))
    return ok(await selectStore(db, platform, { store: changed, rights }), 'The store is saved')
  }),

  implement(contract.replaceStoreImage, async ({ db, platform, store, rights, request, reply }) => {
    const name = await readUpload(request, reply, {
      part: 'image',
      bytesMax: logoBytesMax,
      take: ({ stream }) => storeImage(platform, stream, logoBytesMax),
      drop: (stored) => discardImage(platform, stored),
    })
    const changed = await transact(db, (tx) => replaceLogo(tx, store, name))
    return ok(await selectStore(db, platform, { store: changed, rights }), 'The logo is saved')
  }),

  implement(contract.removeStoreImage, async ({ db, store }) => {
    await transact(db, (tx) => removeLogo(tx, store))
    return ok(null, 'The logo was removed')
  }),

  implement(contract.arrangeStore, async ({ db, store, body }) => {
    await transact(db, (tx) => arrangeStore(tx, store, body))
    return ok(null, 'The order is saved')
  }),

  implement(contract.getStoreSettings, async ({ platform, store }) => ok(toStoreSettings(platform.config, store))),

  implement(contract.rotateWebhookSecret, async ({ db, platform, store }) => {
    const webhookSecret = await transact(db, (tx) => rotateWebhookSecret(tx, platform, store))
    return ok({ webhookSecret }, 'The former secret signs too for 24 hours')
  }),

  implement(contract.viewStore, async ({ db, platform, path, reply }) => {
    const store = await findOpenStoreByUrl(db, path.storeUrl)
    if (!store) throw notFound('store')
    mayBeKept(reply, store)
    return ok(await selectStoreView(db, platform, store))
  }),

  implement(contract.viewStoreById, async ({ db, platform, path, reply }) => {
    const store = await findOpenStoreById(db, path.storeId)
    if (!store) throw notFound('store')
    mayBeKept(reply, store)
    return ok(await selectStoreView(db, platform, store))
  }),
]
