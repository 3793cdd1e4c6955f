import type { PlanForm } from '@keystall/contract/endpoints/staff'
import type { Db, Tx } from '#platform/db/database'
import { loadUser } from './account.ts'
import { selectPlan, updateDisabledMethods, updatePlan } from './queries.ts'

/** The plan that counts now: one that has ended is `default`. */
export async function planOf(db: Db, userId: string): Promise<string> {
  return (await selectPlan(db, userId)) ?? 'default'
}

export async function setPlan(tx: Tx, userId: string, { plan, planExpiry }: Required<PlanForm>): Promise<void> {
  const user = await loadUser(tx, userId)
  await updatePlan(tx, user, { plan, planExpiry: planExpiry === null ? null : new Date(planExpiry) })
}

/** Methods that the seller cannot take in any store, with the reason that the seller reads. */
export async function disableMethods(
  tx: Tx,
  userId: string,
  disabledPaymentMethods: Record<string, string>,
): Promise<void> {
  await updateDisabledMethods(tx, await loadUser(tx, userId), disabledPaymentMethods)
}
