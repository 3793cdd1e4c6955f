import * as buyers from '@keystall/contract/endpoints/checkout'
import * as contract from '@keystall/contract/endpoints/payment-methods'
import { paymentMethods } from '@keystall/contract/payment-methods'
import { withProof } from '#account/proof'
import { findAccount, loadAnyStore } from '#payments/account'
import { unitsOf } from '#payments/chain/amounts'
import { selectMethods } from '#payments/payment'
import {
  connectSettings,
  draftSettings,
  forgetSettings,
  keepTestResult,
  listSettings,
  loadSettable,
  loadSweep,
  saveSettings,
  showSettings,
  switchMethod,
  testSettings,
} from '#payments/settings'
import { bodyWith } from '#payments/settings-form'
import type { Till } from '#payments/till'
import { transact } from '#platform/db/transaction'
import type { Caller } from '#platform/http/caller'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { validate } from '#platform/http/validation'
import type { Platform } from '#platform/platform'
import { notFound, sessionOnly } from '#problem'
import { loadOpenStore } from '#views/open-store'

export const paymentMethodRoutes = (till: Till): Implementation[] => [
  implement(buyers.listPaymentMethods, async ({ db, path }) => {
    const methods = await selectMethods(db, await loadOpenStore(db, path.storeId))
    return ok(methods.map(({ id }) => ({ id, name: paymentMethods[id] })))
  }),

  implement(contract.listPaymentSettings, async ({ db, platform, store }) =>
    ok(await listSettings(platform, db, store)),
  ),

  implement(contract.savePaymentSettings, async ({ db, platform, store, caller, path, body }) => {
    const settable = loadSettable(path.method)
    const { method, schema } = settable
    const { isEnabled } = body
    const before = (await findAccount(platform, store, method.id))?.settings
    const draft = { settings: await draftSettings(platform, store, settable, body.settings) }
    validate(bodyWith(schema), draft)
    await prove(platform, caller, body)
    const settings = await connectSettings(platform, store, settable, draft.settings)
    await transact(db, (tx) => saveSettings(tx, platform, store, { method, settings, isEnabled, before }))
    const shownOnce = method.shownOnce?.(before, settings) ?? null
    return ok({ ...(await showSettings(platform, db, store, settable)), shownOnce }, 'The payment method is saved')
  }),

  implement(contract.switchPaymentMethod, async ({ db, platform, store, path, body }) => {
    const settable = loadSettable(path.method)
    await transact(db, (tx) => switchMethod(tx, platform, store, { settable, isEnabled: body.isEnabled }))
    return ok(await showSettings(platform, db, await loadAnyStore(db, store.id), settable))
  }),

  implement(contract.testPaymentSettings, async ({ db, platform, store, path }) => {
    const settable = loadSettable(path.method)
    const problem = await testSettings(platform, store, settable)
    await transact(db, (tx) => keepTestResult(tx, store, settable, problem))
    return ok(await showSettings(platform, db, store, settable), problem ?? 'The settings work')
  }),

  implement(contract.forgetPaymentSettings, async ({ db, platform, store, path }) => {
    const settable = loadSettable(path.method)
    await transact(db, (tx) => forgetSettings(tx, platform, store, settable))
    return ok(await showSettings(platform, db, await loadAnyStore(db, store.id), settable), 'The settings are gone')
  }),

  implement(contract.getSweep, async ({ platform, store, path }) => {
    const { sweep, account } = await loadSweep(platform, store, loadSettable(path.method))
    return ok(await sweep.offer(platform, account))
  }),

  implement(contract.startSweep, async ({ db, platform, store, caller, path, body }) => {
    if (caller.kind === 'key') throw sessionOnly()
    const { sweep, account } = await loadSweep(platform, store, loadSettable(path.method))
    await prove(platform, caller, body)
    const { recipient, feeMax } = body
    await sweep.start(platform, account, { db, recipient, feeMaxUnits: unitsOf(feeMax, 18), actor: caller.userName })
    return ok(await sweep.offer(platform, account), 'The money is being sent')
  }),

  implement(contract.hearPaymentNotice, async ({ db, platform, path, request }) => {
    const store = await loadAnyStore(db, path.storeId)
    const { method } = loadSettable(path.method)
    const account = method.hear && (await findAccount(platform, store, method.id))
    if (!account) throw notFound('payment method')
    const body = typeof request.body === 'string' ? request.body : ''
    await method.hear?.(platform, till, account, { headers: request.headers, body })
    return ok(null)
  }),
]

/** A key was given this right by name; a session has to prove who sits before it. */
async function prove(
  platform: Platform,
  caller: Caller,
  { password, code }: { password: string | null; code: string | null },
): Promise<void> {
  if (caller.kind === 'key') return
  await withProof(platform, caller.userId, { password: password ?? '', code }, async () => {})
}
