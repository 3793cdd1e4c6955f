import { GrantCreditForm } from '@keystall/contract/endpoints/credit'
import type { Credit } from '@keystall/contract/shapes/credit'
import { useRef } from 'react'
import { newIdempotencyKey } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { formatMoney } from '../ui/money.ts'
import { NumberInput, numberOf } from '../ui/MoneyInput.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { grantCredit } from './credit.ts'

/** Gives credit, or takes back what is left. Sent again, after an answer that was lost, it is the same change. */
export function CreditDialog({
  customerId,
  credit: { balance, currency },
  onClose,
}: {
  customerId: string
  credit: Credit
  onClose: () => void
}) {
  const store = useCurrentStore()
  const sent = useRef({ text: '', key: '' })
  const form = useForm({
    initial: { amount: '', reason: '' },
    send: ({ amount, reason }) => {
      const body = { amount: numberOf(amount), reason: reason.trim() || null }
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() }
      return grantCredit({ storeId: store.id, customerId }, body, sent.current.key)
    },
    onSent: () => {
      toast('Store credit changed')
      onClose()
    },
  })
  return (
    <Dialog title="Change store credit" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field
          label="Amount"
          error={form.errorOf('amount')}
          help={`${formatMoney(balance, currency)} can be spent now. With a minus in front it is taken back.`}
        >
          <NumberInput unit={currency} className="max-w-48" {...form.text('amount')} />
        </Field>
        <Field label="Reason" error={form.errorOf('reason')} help="For the ledger; optional. The customer is not told.">
          <TextInput {...limits(GrantCreditForm.properties.reason)} {...form.text('reason')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Change credit
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
