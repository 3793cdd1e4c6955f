import * as contract from '@keystall/contract/endpoints/apps'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async () => (await send(contract.listApps)).data,
})

export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['apps', appId],
    queryFn: async () => (await send(contract.getApp, { path: { appId } })).data,
  })

export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: async () => (await send(contract.listConnectedApps)).data,
})

const reloadApps = () => queryClient.invalidateQueries({ queryKey: appsQuery.queryKey })

export async function createApp(body: contract.AppForm) {
  const { data } = await send(contract.createApp, { body })
  await reloadApps()
  return data
}

export async function updateApp(appId: string, body: contract.AppForm) {
  await send(contract.updateApp, { path: { appId }, body })
  await reloadApps()
}

export async function rotateSecret(appId: string) {
  const { data } = await send(contract.rotateAppSecret, { path: { appId } })
  await reloadApps()
  return data
}

/** The list alone is loaded anew: the app's own page would find nothing. */
export async function deleteApp(appId: string) {
  await send(contract.deleteApp, { path: { appId } })
  await queryClient.invalidateQueries({ queryKey: appsQuery.queryKey, exact: true })
}

export async function disconnectApp(appId: string) {
  await send(contract.disconnectApp, { path: { appId } })
  await queryClient.invalidateQueries({ queryKey: connectedAppsQuery.queryKey })
}
