import { getUser } from '@keystall/contract/endpoints/user'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async () => (await send(getUser)).data,
})
