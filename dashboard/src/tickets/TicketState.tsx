import { type Ticket, ticketStatuses } from '@keystall/contract/shapes/ticket'
import { Status } from '../ui/Status.tsx'
import { statusNames } from './search.ts'

/** A reply through the API leaves a ticket opened; to the seller it is answered. */
export function TicketState({ ticket }: { ticket: Ticket }) {
  const { status, entries, owner } = ticket
  const isAnswered = status === ticketStatuses.opened && entries.at(-1)?.name !== owner.emailAddress
  const shown = isAnswered ? ticketStatuses.responded : status
  const known = statusNames.find(({ value }) => value === shown)
  return <Status kind={known?.kind ?? 'neutral'}>{known?.label ?? 'Unknown'}</Status>
}
