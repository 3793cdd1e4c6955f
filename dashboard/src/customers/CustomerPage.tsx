import type { CustomerProfile } from '@keystall/contract/shapes/customer'
import { CustomerNotesForm } from '@keystall/contract/endpoints/customers'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Ban, Eraser } from 'lucide-react'
import { useState } from 'react'
import { CreditPanel } from '../credit/CreditPanel.tsx'
import { OrderTable } from '../orders/OrderTable.tsx'
import { newestOrdersQuery } from '../orders/orders.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { CustomerSubscriptions } from '../subscriptions/CustomerSubscriptions.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { formatMoney } from '../ui/money.ts'
import { Page } from '../ui/Page.tsx'
import { Facts, Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm, SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { BlockDialog } from './BlockDialog.tsx'
import { customerQuery, saveNotes } from './customers.ts'
import { EraseDialog } from './EraseDialog.tsx'

const ordersShown = 10

export function CustomerPage() {
  const store = useCurrentStore()
  const { customerId } = useParams({ from: '/workbench/stores/$storeId/customers/$customerId' })
  const customer = useQuery(customerQuery(store.id, customerId))
  const mayUpdate = useMay('UpdateOrders')
  const [isBlocking, setIsBlocking] = useState(false)
  const [isErasing, setIsErasing] = useState(false)
  return (
    <Page
      title={customer.data?.emailAddress ?? 'Customer'}
      words={customer.data?.isBlocked && <Status kind="danger">Blocked</Status>}
      back={{ to: '/stores/$storeId/customers', params: { storeId: store.id }, label: 'Customers' }}
      act={
        customer.data &&
        mayUpdate &&
        (customer.data.isBlocked ? (
          <Link to="/stores/$storeId/blocked" params={{ storeId: store.id }} className={buttonClass('secondary')}>
            Open the block list
          </Link>
        ) : (
          <Button shape="dangerQuiet" onClick={() => setIsBlocking(true)}>
            <Ban aria-hidden />
            Block customer
          </Button>
        ))
      }
    >
      {customer.isPending ? (
        <SkeletonForm />
      ) : customer.isError ? (
        <ErrorState error={customer.error} onRetry={() => void customer.refetch()} />
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_300px]">
          <div className="flex min-w-0 flex-col gap-8">
            <Orders customer={customer.data} />
            <CustomerSubscriptions customerId={customer.data.id} />
            <CreditPanel customerId={customer.data.id} />
          </div>
          <aside aria-label="About this customer" className="flex flex-col gap-6">
            <Panel title="About">
              <Facts
                facts={[
                  ['Paid orders', customer.data.orders.toLocaleString()],
                  ['Spent', formatMoney(customer.data.amountPaid, store.preferredCurrency)],
                  ['First seen', <RelativeTime key="first" at={customer.data.dateCreated} />],
                  ['Last order', customer.data.lastOrder && <RelativeTime key="last" at={customer.data.lastOrder} />],
                  [
                    'IP address',
                    customer.data.ipAddress && (
                      <span key="address" className="font-mono text-sm">
                        {customer.data.ipAddress}
                      </span>
                    ),
                  ],
                ]}
              />
            </Panel>
            <Notes key={customer.data.id} customer={customer.data} mayUpdate={mayUpdate} />
            {mayUpdate && !isErased(customer.data) && (
              <Button shape="dangerQuiet" className="self-start" onClick={() => setIsErasing(true)}>
                <Eraser aria-hidden />
                Erase customer
              </Button>
            )}
          </aside>
        </div>
      )}
      {isErasing && customer.data && <EraseDialog customer={customer.data} onClose={() => setIsErasing(false)} />}
      {isBlocking && customer.data && (
        <BlockDialog
          initial={{ kind: 'email', value: customer.data.emailAddress, reason: '' }}
          onClose={() => setIsBlocking(false)}
        />
      )}
    </Page>
  )
}

function isErased({ id, emailAddress }: CustomerProfile) {
  return emailAddress === `${id}@erased.invalid`
}

function Orders({ customer }: { customer: CustomerProfile }) {
  const store = useCurrentStore()
  const orders = useQuery(newestOrdersQuery(store.id, { customerId: customer.id }, ordersShown))
  return (
    <Panel
      title="Orders"
      aside={
        orders.data &&
        orders.data.pages > 1 && (
          <Link
            to="/stores/$storeId/orders"
            params={{ storeId: store.id }}
            search={{ customerId: customer.id }}
            className="rounded-control text-sm font-medium text-accent-text hover:underline"
          >
            Show all orders
          </Link>
        )
      }
    >
      {orders.isPending ? (
        <SkeletonRows />
      ) : orders.isError ? (
        <ErrorState error={orders.error} onRetry={() => void orders.refetch()} />
      ) : orders.data.data.length === 0 ? (
        <EmptyState icon={Ban} title="No orders" words="Whatever this customer ordered is no longer kept." />
      ) : (
        <OrderTable caption="Orders of this customer" orders={orders.data.data} calledBy="products" />
      )}
    </Panel>
  )
}

function Notes({ customer, mayUpdate }: { customer: CustomerProfile; mayUpdate: boolean }) {
  const store = useCurrentStore()
  const form = useForm({
    initial: { notes: customer.notes ?? '' },
    send: ({ notes }) => saveNotes(store.id, customer.id, notes),
    onSent: () => toast('Notes saved'),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-3">
      <Card className="p-4">
        <FormFailure failure={form.failure} />
        <Field label="Notes" error={form.errorOf('notes')} help="Only for members of this store.">
          <TextArea
            rows={5}
            readOnly={!mayUpdate}
            {...limits(CustomerNotesForm.properties.notes)}
            {...form.text('notes')}
          />
        </Field>
      </Card>
      <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
    </form>
  )
}
