import * as contract from '@keystall/contract/endpoints/stores'
import type { ReplyOf } from '@keystall/contract/endpoint'
import { queryOptions } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { queryClient, send } from '../api.ts'
import { sendUpload } from '../upload.ts'

export type StoreSettings = ReplyOf<typeof contract.getStoreSettings>['data']

export const settingsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'settings'],
    queryFn: async () => (await send(contract.getStoreSettings, { path: { storeId } })).data,
  })

/** What the settings leave out: the secret of the webhooks, the domain. */
export const storeQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'store'],
    queryFn: async () => (await send(contract.getStore, { path: { storeId } })).data,
  })

async function reload(storeId: string) {
  await queryClient.invalidateQueries({ queryKey: ['stores', storeId] })
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true })
  await queryClient.invalidateQueries({ queryKey: ['user'] })
}

export async function saveStore(storeId: string, body: contract.StoreForm) {
  await send(contract.updateStore, { path: { storeId }, body })
  await reload(storeId)
}

export async function replaceLogo(storeId: string, file: File, onProgress: (bytes: number) => void) {
  await sendUpload(contract.replaceStoreImage, { path: { storeId }, file, fileName: file.name, onProgress })
  await reload(storeId)
}

export async function removeLogo(storeId: string) {
  await send(contract.removeStoreImage, { path: { storeId } })
  await reload(storeId)
}

export async function rotateSecret(storeId: string) {
  await send(contract.rotateWebhookSecret, { path: { storeId } })
  await reload(storeId)
}
