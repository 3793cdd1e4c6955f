import * as contract from '@keystall/contract/endpoints/tickets'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { selectTicketPage, selectTicketView } from '#views/ticket'
import { listCannedReplies, updateCannedReplies } from './canned-replies.ts'
import { closeTicket, openTicket, replyToOwnTicket, replyToTicket } from './ticket.ts'

export const ticketRoutes: Implementation[] = [
  implement(contract.listTickets, async ({ db, platform, store, path, query }) =>
    paged(await selectTicketPage(db, platform, store, { ...path, ...query })),
  ),

  implement(contract.searchTickets, async ({ db, platform, store, path, query }) =>
    paged(await selectTicketPage(db, platform, store, { ...query, page: path.page, words: path.query })),
  ),

  implement(contract.getTicket, async ({ db, platform, store, ticket }) =>
    ok(await selectTicketView(db, platform, store, ticket)),
  ),

  implement(contract.replyToTicket, async ({ db, platform, store, ticket, caller, body }) => {
    const reply = { ...body, userId: caller.userId }
    await transact(db, (tx) => replyToTicket(tx, platform, { store, ticket }, reply))
    return ok(await selectTicketView(db, platform, store, ticket), 'Reply added')
  }),

  implement(contract.closeTicket, async ({ db, ticket }) => {
    await transact(db, (tx) => closeTicket(tx, ticket))
    return ok(null, 'Ticket closed')
  }),

  implement(contract.openTicket, async ({ once, platform, store, order, body }) =>
    once(async (tx) => {
      const ticket = await openTicket(tx, platform, { store, order }, body)
      return ok(await selectTicketView(tx, platform, store, ticket), 'Ticket opened')
    }),
  ),

  implement(contract.replyToOwnTicket, async ({ once, platform, store, ticket, body }) =>
    once(async (tx) => {
      await replyToOwnTicket(tx, platform, { store, ticket }, body)
      return ok(await selectTicketView(tx, platform, store, ticket), 'Reply added')
    }),
  ),

  implement(contract.listCannedReplies, async ({ db, store }) => ok(await listCannedReplies(db, store))),

  implement(contract.updateCannedReplies, async ({ db, store, body }) =>
    ok(await transact(db, (tx) => updateCannedReplies(tx, store, body.replies)), 'Replies saved'),
  ),
]
