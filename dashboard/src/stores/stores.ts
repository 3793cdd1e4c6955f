import * as contract from '@keystall/contract/endpoints/stores'
import { accountQuery } from '../account/account.ts'
import { queryClient, send } from '../api.ts'
import { userQuery } from '../home/user.ts'
import { chooseStore } from './chosen-store.ts'

export async function createStore(body: contract.StoreForm) {
  const { data: store } = await send(contract.createStore, { body })
  chooseStore(store.id)
  await queryClient.invalidateQueries({ queryKey: userQuery.queryKey })
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true })
}
