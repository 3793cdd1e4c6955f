import type { DeliveredItem, OrderById } from '@keystall/contract/shapes/order'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import { acts, deliveredQuery } from './orders.ts'

const itemsAtFirst = 10

/** The items themselves, covered until asked for: a shoulder away somebody may look on. */
export function DeliveredItems({ order }: { order: OrderById }) {
  const store = useCurrentStore()
  const items = useQuery(deliveredQuery(store.id, order.id))
  const mayReplace = useMay('UpdateOrders')
  const [isShown, setIsShown] = useState(false)
  const [isWhole, setIsWhole] = useState(false)
  const [replacing, setReplacing] = useState<DeliveredItem>()
  if (items.isPending) return <SkeletonRows count={2} />
  if (items.isError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  if (items.data.length === 0) return null
  const shown = isWhole ? items.data : items.data.slice(0, itemsAtFirst)
  return (
    <Panel
      title="Delivered items"
      aside={
        <Button shape="quiet" onClick={() => setIsShown(!isShown)}>
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          {isShown ? 'Cover' : 'Show'}
        </Button>
      }
    >
      <Card>
        <ul className="divide-y divide-line">
          {shown.map((item) => (
            <li key={item.id} className="flex min-h-11 items-center gap-3 px-4 py-1.5">
              <span
                className={`min-w-0 flex-1 font-mono text-sm break-all whitespace-pre-wrap ${item.isReplaced ? 'text-soft line-through' : ''}`}
              >
                {isShown ? item.value : '•'.repeat(Math.min(24, item.value.length))}
              </span>
              {item.isReplaced ? (
                <Status kind="neutral">Replaced</Status>
              ) : (
                mayReplace &&
                order.status !== 'Refunded' && (
                  <Button shape="quiet" onClick={() => setReplacing(item)}>
                    Replace
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
        {items.data.length > shown.length && (
          <div className="border-t border-line p-2">
            <Button shape="quiet" onClick={() => setIsWhole(true)}>
              Show all {items.data.length.toLocaleString()} items
            </Button>
          </div>
        )}
      </Card>
      {replacing && <ReplaceDialog order={order} item={replacing} onClose={() => setReplacing(undefined)} />}
    </Panel>
  )
}

function ReplaceDialog({ order, item, onClose }: { order: OrderById; item: DeliveredItem; onClose: () => void }) {
  const store = useCurrentStore()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => acts.replace({ storeId: store.id, orderId: order.id }, item.id),
    onSuccess: () => {
      toast('Item replaced')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Replace this item?"
      act="Replace item"
      isDangerous={false}
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      The buyer gets the next item in stock instead. The old one is not sold again.
    </ConfirmDialog>
  )
}
