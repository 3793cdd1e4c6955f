import type { OrderById } from '@keystall/contract/shapes/order'
import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import { useMutation } from '@tanstack/react-query'
import { Ban, Ellipsis, Mail, PackageCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useRights } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/Toast.tsx'
import { acts } from './orders.ts'
import { RefundDialog } from './RefundDialog.tsx'

type Act = 'deliver' | 'redeliver' | 'refund' | 'resend' | 'cancel'

/** What may be done with an order as it stands, by this person. */
export function OrderActs({ order, record }: { order: OrderById; record: OrderRecord }) {
  const may = useRights()
  const [chosen, setChosen] = useState<Act>()
  const { status } = order
  const mayUpdate = may('UpdateOrders')
  const canDeliver =
    may('DeliverOrders') &&
    ['Incomplete', 'Pending', 'PartiallyPaid', 'Verifying', 'Delivering', 'Cancelled'].includes(status)
  const canRedeliver = mayUpdate && status === 'Undeliverable'
  const canRefund = mayUpdate && order.amountPaid > 0
  const canResend = mayUpdate && record.dateDelivered !== null && status === 'Delivered'
  const canCancel = mayUpdate && status === 'Incomplete' && order.amountPaid === 0
  const close = () => setChosen(undefined)
  return (
    <div className="flex items-center gap-2">
      {canDeliver && (
        <Button shape="primary" onClick={() => setChosen('deliver')}>
          <PackageCheck aria-hidden />
          Deliver order
        </Button>
      )}
      {canRedeliver && (
        <Button shape="primary" onClick={() => setChosen('redeliver')}>
          <PackageCheck aria-hidden />
          Try delivery again
        </Button>
      )}
      {canResend && (
        <Button onClick={() => setChosen('resend')}>
          <Mail aria-hidden />
          Resend mail
        </Button>
      )}
      {canRefund && !canCancel && (
        <Button onClick={() => setChosen('refund')}>
          <Undo2 aria-hidden />
          Refund
        </Button>
      )}
      {canCancel && (
        <Menu
          trigger={
            <Button aria-label="More acts">
              <Ellipsis aria-hidden />
            </Button>
          }
        >
          <MenuItem isDangerous onSelect={() => setChosen('cancel')}>
            <Ban aria-hidden />
            Cancel order
          </MenuItem>
        </Menu>
      )}
      {chosen === 'refund' && <RefundDialog order={order} record={record} onClose={close} />}
      {chosen !== undefined && chosen !== 'refund' && <ActDialog act={chosen} order={order} onClose={close} />}
    </div>
  )
}

const questions: Record<
  Exclude<Act, 'refund'>,
  { title: string; act: string; words: string; isDangerous: boolean; done: string }
> = {
  deliver: {
    title: 'Deliver this order?',
    act: 'Deliver order',
    words: 'The buyer gets the goods now, as if the order were paid in full. What was paid so far stays as it is.',
    isDangerous: false,
    done: 'Order delivered',
  },
  redeliver: {
    title: 'Try delivery again?',
    act: 'Try again',
    words: 'Items are taken from stock, and a dynamic product asks its webhook once more.',
    isDangerous: false,
    done: 'Delivery is tried again',
  },
  resend: {
    title: 'Send the mail again?',
    act: 'Resend mail',
    words: 'The buyer is sent the mail about the delivery once more.',
    isDangerous: false,
    done: 'Mail sent',
  },
  cancel: {
    title: 'Cancel this order?',
    act: 'Cancel order',
    words: 'The buyer can no longer pay it. Its stock and the use of its coupon are given back.',
    isDangerous: true,
    done: 'Order cancelled',
  },
}

function ActDialog({ act, order, onClose }: { act: Exclude<Act, 'refund'>; order: OrderById; onClose: () => void }) {
  const store = useCurrentStore()
  const question = questions[act]
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => acts[act]({ storeId: store.id, orderId: order.id }),
    onSuccess: () => {
      toast(question.done)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={question.title}
      act={question.act}
      isDangerous={question.isDangerous}
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {question.words}
    </ConfirmDialog>
  )
}
