import { listMails } from '@keystall/contract/endpoints/development'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

export const mailsQuery = queryOptions({
  queryKey: ['development', 'mails'],
  queryFn: async () => (await send(listMails)).data,
  refetchInterval: 3000,
})
