import { setTimeout as sleep } from 'node:timers/promises'
import { openTicket, replyToOwnTicket, replyToTicket } from '../../contract/src/endpoints/tickets.ts'
import { buyOne } from './buyers.ts'
import { answered } from './requests.ts'
import { attempt, type Worker } from './worker.ts'

const repliesOfATicket = 40

/** A buyer and the seller answer each other, ticket after ticket. */
export async function replyInTurns(worker: Worker): Promise<void> {
  const { buyer, seller, shop, ledger, isOver, random } = worker
  for (let number = 0; !isOver(); number += 1) {
    const [productId = ''] = shop.keys
    const { id: orderId, key } = await buyOne(worker, productId, `asker${number}@example.com`)
    const keyHeader = { 'x-order-key': key }
    const opening = `ticket ${number}`
    const { data: ticket } = await answered((headers) =>
      buyer(openTicket, {
        path: { orderId },
        body: { subject: opening, message: opening },
        headers: { ...headers, ...keyHeader },
      }),
    )
    ledger.replies.acknowledged.add(opening)
    ledger.acknowledge('ticket', opening)
    for (let count = 0; count < repliesOfATicket && !isOver(); count += 1) {
      const message = `${opening} question ${count}`
      const path = { orderId, ticketId: ticket.id }
      await answered((headers) =>
        buyer(replyToOwnTicket, { path, body: { message }, headers: { ...headers, ...keyHeader } }),
      )
      ledger.replies.acknowledged.add(message)
      ledger.acknowledge('reply', message)
      const answer = `${opening} answer ${count}`
      const sellers = { storeId: shop.storeId, ticketId: ticket.id }
      await attempt(ledger, ledger.replies, answer, () =>
        seller(replyToTicket, { path: sellers, body: { message: answer } }),
      )
      await sleep(random() * 150)
    }
  }
}
