import type { PaymentByHand as Known } from '@keystall/contract/shapes/payment'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, FileText, X } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useMay } from '../stores/rights.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { formatMoney } from '../ui/money.ts'
import { NumberInput, numberOf } from '../ui/MoneyInput.tsx'
import { Notice } from '../ui/Notice.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { confirmPayment, paymentByHandQuery, proofAddress, rejectPayment } from './payments.ts'

interface OrderPath {
  storeId: string
  orderId: string
}

/** For an order's page: what the buyer says to have paid where we cannot see it, and the seller's answer to it. */
export function PaymentByHand({ storeId, orderId, currency }: OrderPath & { currency: string }) {
  const path = { storeId, orderId }
  const { data } = useQuery(paymentByHandQuery(path))
  return data ? <Claim path={path} known={data} currency={currency} /> : null
}

function Claim({ path, known, currency }: { path: OrderPath; known: Known; currency: string }) {
  const mayDecide = useMay('UpdateOrders')
  const [asking, setAsking] = useState<'confirm' | 'reject' | null>(null)
  const { canBeConfirmed, claims, code, due, proofs } = known
  const open = claims.find(({ status }) => status === 'open')
  if (!canBeConfirmed && proofs.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      {open ? (
        <Notice kind="warning">
          The buyer says that {formatMoney(due, currency)} is paid, <RelativeTime at={open.dateCreated} />
          {code !== null && (
            <>
              . Look for the code <code className="font-mono">{code}</code>
            </>
          )}
          {open.note !== null && <p className="mt-1 font-normal wrap-anywhere">“{open.note}”</p>}
        </Notice>
      ) : (
        canBeConfirmed &&
        code !== null && (
          <p className="text-soft">
            {formatMoney(due, currency)} is to come by hand, with the code <code className="font-mono">{code}</code> in
            its note.
          </p>
        )
      )}
      {proofs.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {proofs.map(({ id, friendlyName }) => (
            <li key={id}>
              <a href={proofAddress(path, id)} download className={buttonClass('secondary')}>
                <FileText aria-hidden />
                <span className="max-w-56 truncate">{friendlyName}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {canBeConfirmed && mayDecide && (
        <div className="flex flex-wrap gap-2">
          <Button shape={open ? 'primary' : 'secondary'} onClick={() => setAsking('confirm')}>
            <Check aria-hidden />
            Confirm payment
          </Button>
          {open && (
            <Button shape="dangerQuiet" onClick={() => setAsking('reject')}>
              <X aria-hidden />
              Reject
            </Button>
          )}
        </div>
      )}
      {asking === 'confirm' && (
        <ConfirmPayment path={path} due={due} currency={currency} onClose={() => setAsking(null)} />
      )}
      {asking === 'reject' && <RejectPayment path={path} onClose={() => setAsking(null)} />}
    </div>
  )
}

function ConfirmPayment({
  path,
  due,
  currency,
  onClose,
}: {
  path: OrderPath
  due: number
  currency: string
  onClose: () => void
}) {
  const form = useForm({
    initial: { amount: String(due) },
    send: ({ amount }) => confirmPayment(path, numberOf(amount)),
    onSent: () => {
      toast('Payment confirmed')
      onClose()
    },
  })
  return (
    <Dialog title="Confirm payment" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <p className="text-soft">
          Confirm only what you have seen in your account. Once everything is paid, the order is delivered.
        </p>
        <FormFailure failure={form.failure} />
        <Field label="Amount that came" error={form.errorOf('amount')}>
          <NumberInput unit={currency} className="max-w-48" {...form.text('amount')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Confirm payment
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function RejectPayment({ path, onClose }: { path: OrderPath; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => rejectPayment(path, reason.trim() === '' ? null : reason),
    onSuccess: () => {
      toast('Payment rejected')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Reject payment?"
      act="Reject payment"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p>The order waits to be paid again, and the buyer is told by mail.</p>
        <Field label="Why" help="The buyer reads it." aside={<span className="text-sm">Optional</span>}>
          <TextArea maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
