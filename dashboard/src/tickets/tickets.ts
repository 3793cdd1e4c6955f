import * as contract from '@keystall/contract/endpoints/tickets'
import type { CannedReply, Ticket } from '@keystall/contract/shapes/ticket'
import { queryOptions } from '@tanstack/react-query'
import { apiAddress, queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'
import { statusNames, type TicketFilter } from './search.ts'

export const ticketsKey = (storeId: string) => ['tickets', storeId]

export const ticketPage =
  (storeId: string, { status, query: words }: TicketFilter) =>
  (page: number): PageQuery<Ticket> => {
    const known = statusNames.find(({ value }) => String(value) === status)
    const query = { count: rowsAPage, ...(known === undefined ? {} : { status: known.value }) }
    return {
      queryKey: [...ticketsKey(storeId), 'page', { status, words }, page],
      queryFn: ({ signal }) =>
        words === undefined
          ? send(contract.listTickets, { path: { storeId, page }, query, signal })
          : send(contract.searchTickets, { path: { storeId, page, query: words }, query, signal }),
    }
  }

export const ticketQuery = (storeId: string, ticketId: string) =>
  queryOptions({
    queryKey: [...ticketsKey(storeId), ticketId],
    queryFn: async ({ signal }) => (await send(contract.getTicket, { path: { storeId, ticketId }, signal })).data,
  })

export const cannedRepliesQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...ticketsKey(storeId), 'canned-replies'],
    queryFn: async ({ signal }) => (await send(contract.listCannedReplies, { path: { storeId }, signal })).data,
  })

const reload = (storeId: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ticketsKey(storeId) }),
    queryClient.invalidateQueries({ queryKey: ['analytics', storeId] }),
  ])

export const particularsQuery = (storeId: string, ticketId: string) =>
  queryOptions({
    queryKey: [...ticketsKey(storeId), ticketId, 'particulars'],
    queryFn: async ({ signal }) =>
      (await send(contract.getTicketParticulars, { path: { storeId, ticketId }, signal })).data,
  })

export const attachmentAddress = (storeId: string, ticketId: string, attachmentId: string) =>
  apiAddress(contract.downloadAttachment, { storeId, ticketId, attachmentId })

export const attach = async (storeId: string, ticketId: string, file: File) =>
  (await send(contract.attachToTicket, { path: { storeId, ticketId }, upload: file })).data

export async function replyToTicket(storeId: string, ticketId: string, body: contract.TicketReplyForm) {
  const { data } = await send(contract.replyToTicket, { path: { storeId, ticketId }, body })
  queryClient.setQueryData(ticketQuery(storeId, ticketId).queryKey, data)
  await reload(storeId)
}

export async function closeTicket(storeId: string, ticketId: string) {
  await send(contract.closeTicket, { path: { storeId, ticketId } })
  await reload(storeId)
}

export async function saveCannedReplies(storeId: string, replies: CannedReply[]) {
  const { data } = await send(contract.updateCannedReplies, { path: { storeId }, body: { replies } })
  queryClient.setQueryData(cannedRepliesQuery(storeId).queryKey, data)
}
