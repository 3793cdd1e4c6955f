import * as methods from '@keystall/contract/endpoints/payment-methods'
import * as contract from '@keystall/contract/endpoints/payments'
import { queryOptions } from '@tanstack/react-query'
import { apiAddress, queryClient, send } from '../api.ts'

const keyOf = (storeId: string) => ['payment-methods', storeId]

export const paymentMethodsQuery = (storeId: string) =>
  queryOptions({
    queryKey: keyOf(storeId),
    queryFn: async () => (await send(methods.listPaymentSettings, { path: { storeId } })).data,
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: keyOf(storeId) })

interface Named {
  storeId: string
  method: string
}

export async function savePaymentMethod(path: Named, body: methods.PaymentSettingsForm) {
  const { data } = await send(methods.savePaymentSettings, { path, body })
  await reload(path.storeId)
  return data
}

export async function switchPaymentMethod(path: Named, isEnabled: boolean) {
  await send(methods.switchPaymentMethod, { path, body: { isEnabled } })
  await reload(path.storeId)
}

export async function testPaymentMethod(path: Named) {
  const { data } = await send(methods.testPaymentSettings, { path })
  await reload(path.storeId)
  return data
}

export async function forgetPaymentMethod(path: Named) {
  await send(methods.forgetPaymentSettings, { path })
  await reload(path.storeId)
}

/** The chain is asked, so it is not asked again while the dialog is open. */
export const sweepQuery = (path: Named) =>
  queryOptions({
    queryKey: [...keyOf(path.storeId), path.method, 'sweep'],
    queryFn: async () => (await send(methods.getSweep, { path })).data,
    refetchOnWindowFocus: false,
    staleTime: 0,
  })

export async function startSweep(path: Named, body: methods.SweepForm) {
  const { data } = await send(methods.startSweep, { path, body })
  queryClient.setQueryData(sweepQuery(path).queryKey, data)
}

interface OrderPath {
  storeId: string
  orderId: string
}

const orderKeyOf = ({ storeId, orderId }: OrderPath) => ['orders', storeId, orderId, 'payments']

export const paymentByHandQuery = (path: OrderPath) =>
  queryOptions({
    queryKey: orderKeyOf(path),
    queryFn: async () => (await send(contract.getPaymentByHand, { path })).data,
  })

export const proofAddress = ({ storeId, orderId }: OrderPath, proofId: string) =>
  apiAddress(contract.downloadProof, { storeId, orderId, proofId })

/** The order and all lists that show it. */
const reloadOrders = (storeId: string) => queryClient.invalidateQueries({ queryKey: ['orders', storeId] })

export async function confirmPayment(path: OrderPath, amount: number | null) {
  await send(contract.confirmPayment, { path, body: { amount } })
  await reloadOrders(path.storeId)
}

export async function rejectPayment(path: OrderPath, reason: string | null) {
  await send(contract.rejectPayment, { path, body: { reason } })
  await reloadOrders(path.storeId)
}
