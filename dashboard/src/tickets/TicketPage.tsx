import { type Ticket, ticketStatuses } from '@keystall/contract/shapes/ticket'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { failureOf } from '../api.ts'
import { newestOrdersQuery } from '../orders/orders.ts'
import { OrderState } from '../orders/order-status.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { textLink } from '../ui/text-link.ts'
import { toast } from '../ui/Toast.tsx'
import { Attachments } from './Attachments.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { TicketState } from './TicketState.tsx'
import { closeTicket, particularsQuery, ticketQuery } from './tickets.ts'

export function TicketPage() {
  const store = useCurrentStore()
  const { ticketId } = useParams({ from: '/workbench/stores/$storeId/tickets/$ticketId' })
  const ticket = useQuery({ ...ticketQuery(store.id, ticketId), refetchInterval: 30_000 })
  const particulars = useQuery(particularsQuery(store.id, ticketId))
  const [mayReply, mayClose] = [useMay('UpdateTickets'), useMay('DeleteTickets')]
  const [isClosing, setIsClosing] = useState(false)
  const isClosed = ticket.data?.status === ticketStatuses.closed
  return (
    <Page
      title={ticket.data?.subject ?? 'Ticket'}
      words={ticket.data && <Headline ticket={ticket.data} />}
      back={{ to: '/stores/$storeId/tickets', params: { storeId: store.id }, label: 'Tickets' }}
      act={
        ticket.data &&
        !isClosed &&
        mayClose && (
          <Button onClick={() => setIsClosing(true)}>
            <CircleCheck aria-hidden />
            Close ticket
          </Button>
        )
      }
    >
      {ticket.isPending ? (
        <SkeletonForm />
      ) : ticket.isError ? (
        <ErrorState error={ticket.error} onRetry={() => void ticket.refetch()} />
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_300px]">
          <div className="flex min-w-0 flex-col gap-4">
            <ol aria-label="Messages" className="flex flex-col gap-4">
              {ticket.data.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} isTheirs={entry.name === ticket.data.owner.emailAddress}>
                  <Attachments
                    ticketId={ticketId}
                    files={particulars.data?.attachments.filter(({ entryId }) => entryId === entry.id) ?? []}
                  />
                </Entry>
              ))}
            </ol>
            {isClosed ? (
              <Notice kind="information">This ticket is closed. The buyer can open another from the order.</Notice>
            ) : (
              mayReply && <ReplyForm key={ticketId} ticketId={ticketId} />
            )}
          </div>
          <CustomerAside ticket={ticket.data} />
        </div>
      )}
      {isClosing && <CloseDialog ticketId={ticketId} onClose={() => setIsClosing(false)} />}
    </Page>
  )
}

function Headline({ ticket }: { ticket: Ticket }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <TicketState ticket={ticket} />
      <span>{ticket.owner.emailAddress}</span>
      <RelativeTime at={ticket.dateCreated} />
    </span>
  )
}

function Entry({
  entry,
  isTheirs,
  children,
}: {
  entry: Ticket['entries'][number]
  isTheirs: boolean
  children: ReactNode
}) {
  return (
    <li
      className={`max-w-[92%] rounded-card border px-4 py-3 ${isTheirs ? 'self-start border-line bg-surface' : 'self-end border-transparent bg-accent-soft'}`}
    >
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span className="font-medium wrap-anywhere">{entry.name}</span>
        <span className="text-soft">
          <RelativeTime at={entry.dateCreated} />
        </span>
      </div>
      <p className="whitespace-pre-wrap wrap-anywhere">{entry.message}</p>
      {children}
    </li>
  )
}

/** Who asks, and what they bought last. */
function CustomerAside({ ticket }: { ticket: Ticket }) {
  const store = useCurrentStore()
  const mayView = useMay('ViewOrders')
  const orders = useQuery({ ...newestOrdersQuery(store.id, { customerId: ticket.owner.id }, 5), enabled: mayView })
  if (!mayView) return null
  return (
    <aside aria-label="About the customer">
      <Panel
        title="Customer"
        aside={
          <Link
            to="/stores/$storeId/customers/$customerId"
            params={{ storeId: store.id, customerId: ticket.owner.id }}
            className={`${textLink} text-sm`}
          >
            Open
          </Link>
        }
      >
        <Card>
          <ul className="divide-y divide-line">
            {orders.data?.data.map((order) => (
              <li key={order.id} className="flex flex-col gap-1 px-4 py-3">
                <Link
                  to="/stores/$storeId/orders/$orderId"
                  params={{ storeId: store.id, orderId: order.id }}
                  className="rounded-control font-medium wrap-anywhere hover:text-accent-text hover:underline"
                >
                  {order.productNames.join(', ')}
                </Link>
                <span className="flex items-center justify-between gap-3 text-sm text-soft">
                  <OrderState status={order.status} />
                  <RelativeTime at={order.dateCreated} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </Panel>
    </aside>
  )
}

function CloseDialog({ ticketId, onClose }: { ticketId: string; onClose: () => void }) {
  const store = useCurrentStore()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => closeTicket(store.id, ticketId),
    onSuccess: () => {
      toast('Ticket closed')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Close this ticket?"
      act="Close ticket"
      isDangerous={false}
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Neither side can write in it any more; all messages stay readable.
    </ConfirmDialog>
  )
}
