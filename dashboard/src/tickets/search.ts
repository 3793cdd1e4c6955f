import { ticketStatuses } from '@keystall/contract/shapes/ticket'

/** As the address holds it. */
export interface TicketFilter {
  status?: string | undefined
  query?: string | undefined
}

export const statusNames = [
  { value: ticketStatuses.opened, label: 'Opened', kind: 'warning' },
  { value: ticketStatuses.customerResponded, label: 'Customer replied', kind: 'warning' },
  { value: ticketStatuses.responded, label: 'Answered', kind: 'information' },
  { value: ticketStatuses.resolved, label: 'Resolved', kind: 'success' },
  { value: ticketStatuses.closed, label: 'Closed', kind: 'neutral' },
] as const

/** The filters in the address; what is none is left out. */
export function readTicketSearch(search: Record<string, unknown>): TicketFilter {
  const status = statusNames.find(({ value }) => String(value) === search['status'])
  const { query } = search
  return {
    ...(status === undefined ? {} : { status: String(status.value) }),
    ...(typeof query === 'string' && query !== '' ? { query } : {}),
  }
}
