import * as contract from '@keystall/contract/endpoints/webhooks'
import type { WebhookAttempt } from '@keystall/contract/shapes/webhook'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

const keyOf = (storeId: string) => ['webhooks', storeId]

export const webhooksQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), 'all'],
    queryFn: async () => (await send(contract.listWebhooks, { path: { storeId } })).data,
  })

export const attemptPage =
  (storeId: string) =>
  (page: number): PageQuery<WebhookAttempt> => ({
    queryKey: [...keyOf(storeId), 'attempts', page],
    queryFn: ({ signal }) =>
      send(contract.listWebhookAttempts, { path: { storeId, page }, query: { count: rowsAPage }, signal }),
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: keyOf(storeId) })

export async function createWebhook(storeId: string, body: contract.WebhookForm) {
  const { data } = await send(contract.createWebhook, { path: { storeId }, body })
  await reload(storeId)
  return data
}

export async function updateWebhook(storeId: string, webhookId: string, body: contract.WebhookForm) {
  await send(contract.updateWebhook, { path: { storeId, webhookId }, body })
  await reload(storeId)
}

export async function deleteWebhook(storeId: string, webhookId: string) {
  await send(contract.deleteWebhook, { path: { storeId, webhookId } })
  await reload(storeId)
}

export async function resendAttempt(storeId: string, attemptId: string) {
  await send(contract.resendWebhookAttempt, { path: { storeId, attemptId } })
  await reload(storeId)
}
