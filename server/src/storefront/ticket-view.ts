import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import type { ShownTicket } from '@keystall/storefront/ticket'
import type { selectAttachments, TicketView } from '#views/ticket'

type Attachments = Awaited<ReturnType<typeof selectAttachments>>

export function toShownTicket(
  { id, subject, status, owner, entries }: TicketView,
  attachments: Attachments,
): ShownTicket {
  const filesOf = Map.groupBy(attachments, ({ entryId }) => entryId)
  return {
    id,
    subject,
    isClosed: status === ticketStatuses.closed,
    entries: entries.map((entry) => ({
      id: entry.id,
      name: entry.name,
      isSellers: entry.name !== owner.emailAddress,
      message: entry.message,
      dateCreated: entry.dateCreated.toISOString(),
      files: (filesOf.get(entry.id) ?? []).map((file) => ({
        id: file.id,
        friendlyName: file.friendlyName,
        bytes: file.bytes,
      })),
    })),
  }
}
