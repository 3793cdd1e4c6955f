import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquareText, MessagesSquare, SearchX } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, FilterChip, SearchBox } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowLink } from '../ui/Table.tsx'
import { TicketState } from './TicketState.tsx'
import { statusNames, type TicketFilter } from './search.ts'
import { ticketPage } from './tickets.ts'

const statusOptions = statusNames.map(({ value, label }) => ({ value: String(value), label }))

export function TicketsPage() {
  const store = useCurrentStore()
  const search = useSearch({ from: '/workbench/stores/$storeId/tickets' })
  const navigate = useNavigate({ from: '/stores/$storeId/tickets' })
  const mayUpdate = useMay('UpdateTickets')
  const set = (part: TicketFilter) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const isFiltered = search.status !== undefined || search.query !== undefined
  return (
    <Page
      title="Tickets"
      act={
        mayUpdate && (
          <Link
            to="/stores/$storeId/tickets/canned-replies"
            params={{ storeId: store.id }}
            className={buttonClass('secondary')}
          >
            <MessageSquareText aria-hidden />
            Canned replies
          </Link>
        )
      }
    >
      <FilterBar>
        <SearchBox label="Words or e-mail address" value={search.query} onChange={(query) => set({ query })} />
        <FilterChip
          label="Status"
          value={search.status}
          options={statusOptions}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <PagedTable
        caption="Tickets"
        pageOf={ticketPage(store.id, search)}
        rowKey={(ticket) => ticket.id}
        columns={[
          {
            head: 'Subject',
            isName: true,
            fluid: 'sm:w-2/5',
            render: (ticket) => (
              <Link
                to="/stores/$storeId/tickets/$ticketId"
                params={{ storeId: store.id, ticketId: ticket.id }}
                className={`${rowLink} block truncate`}
                title={ticket.subject}
              >
                {ticket.subject}
              </Link>
            ),
          },
          {
            head: 'Last message',
            fluid: 'sm:w-2/5',
            isWideOnly: true,
            render: (ticket) => <span className="block truncate text-soft">{ticket.entries.at(-1)?.message}</span>,
          },
          {
            head: 'Customer',
            onCard: 'middle',
            fluid: 'sm:w-1/5',
            render: (ticket) => (
              <span className="block truncate text-soft" title={ticket.owner.emailAddress}>
                {ticket.owner.emailAddress}
              </span>
            ),
          },
          { head: 'Status', onCard: 'bottomStart', render: (ticket) => <TicketState ticket={ticket} /> },
          {
            head: 'Last word',
            onCard: 'bottomEnd',
            align: 'end',
            render: (ticket) => <RelativeTime at={ticket.entries.at(-1)?.dateCreated ?? ticket.dateCreated} />,
          },
        ]}
        empty={
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title="No ticket matches"
              words="Words of the subject and the messages are found, and e-mail addresses."
              act={<Button onClick={() => void navigate({ search: {}, replace: true })}>Remove every filter</Button>}
            />
          ) : (
            <EmptyState
              icon={MessagesSquare}
              title="No tickets yet"
              words="When a buyer asks something on the page of their order, it arrives here and by mail."
            />
          )
        }
      />
    </Page>
  )
}
