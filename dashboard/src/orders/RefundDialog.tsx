import type { OrderById } from '@keystall/contract/shapes/order'
import type { OrderRecord } from '@keystall/contract/shapes/order-record'
import { useRef } from 'react'
import { newIdempotencyKey } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { formatMoney } from '../ui/money.ts'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { acts } from './orders.ts'

/** Whole or in part. The same refund sent again, after an answer that was lost, is the same refund. */
export function RefundDialog({
  order,
  record,
  onClose,
}: {
  order: OrderById
  record: OrderRecord
  onClose: () => void
}) {
  const store = useCurrentStore()
  const sent = useRef({ text: '', key: '' })
  const form = useForm({
    initial: { amount: String(order.amountPaid), reason: '', returnItems: false },
    send: ({ amount, reason, returnItems }) => {
      const number = Number(amount.replace(',', '.'))
      const body = { amount: number === order.amountPaid ? null : number, reason: reason.trim() || null, returnItems }
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() }
      return acts.refund({ storeId: store.id, orderId: order.id }, body, sent.current.key)
    },
    onSent: () => {
      toast('Refunded')
      onClose()
    },
  })
  return (
    <Dialog title="Refund this order" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field
          label={`Amount in ${record.currency}`}
          error={form.errorOf('amount')}
          help={`${formatMoney(order.amountPaid, record.currency)} can be paid back. A whole refund cancels a subscription that the order paid for.`}
        >
          <TextInput inputMode="decimal" className="tabular-nums" {...form.text('amount')} />
        </Field>
        <Field label="Reason" error={form.errorOf('reason')} help="For the order's history; optional.">
          <TextInput maxLength={2048} {...form.text('reason')} />
        </Field>
        <Checkbox
          label="Take the goods back"
          help="Delivered items go back into stock and downloads end."
          checked={form.values.returnItems}
          onChange={(event) => form.set('returnItems', event.target.checked)}
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="danger" isBusy={form.isBusy}>
            Refund order
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
