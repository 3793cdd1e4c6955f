import type { Ticket } from '@keystall/contract/shapes/ticket'
import { Status } from '../ui/Status.tsx'
import { statusNames } from './tickets.ts'

export function TicketState({ status }: { status: Ticket['status'] }) {
  const known = statusNames.find(({ value }) => value === status)
  return <Status kind={known?.kind ?? 'neutral'}>{known?.label ?? 'Unknown'}</Status>
}
