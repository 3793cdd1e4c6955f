import type { OrderPayments as Payments } from '@keystall/contract/shapes/payment'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, FileText, X } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useMay } from '../stores/rights.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { formatMoney } from '../ui/money.ts'
import { NumberInput, numberOf } from '../ui/MoneyInput.tsx'
import { Notice } from '../ui/Notice.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { confirmPayment, orderPaymentsQuery, proofAddress, rejectPayment } from './payments.ts'

interface OrderPath {
  storeId: string
  orderId: string
}

/** For an order's page: the money that moved, what the buyer says to have paid, and the seller's answer to it. */
export function OrderPayments({ storeId, orderId, currency }: OrderPath & { currency: string }) {
  const path = { storeId, orderId }
  const payments = useQuery(orderPaymentsQuery(path))
  if (payments.isPending) return <Skeleton className="h-16 w-full" />
  if (payments.isError) return <ErrorState error={payments.error} onRetry={() => void payments.refetch()} />
  return (
    <div className="flex flex-col gap-4">
      <Claim path={path} payments={payments.data} currency={currency} />
      <Movements payments={payments.data} />
    </div>
  )
}

function Claim({ path, payments, currency }: { path: OrderPath; payments: Payments; currency: string }) {
  const mayDecide = useMay('UpdateOrders')
  const [asking, setAsking] = useState<'confirm' | 'reject' | null>(null)
  const { canBeConfirmed, claims, code, due, proofs } = payments
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

const kinds = {
  payment: { words: 'Paid', status: 'success' },
  refund: { words: 'Refunded', status: 'neutral' },
  dispute: { words: 'Disputed', status: 'danger' },
} as const

function Movements({ payments: { movements } }: { payments: Payments }) {
  if (movements.length === 0) return null
  return (
    <ul className="flex flex-col divide-y divide-line">
      {movements.map(({ id, kind, amount, currency, gateway, externalId, dateCreated, isSurplus }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
          <Status kind={kinds[kind].status}>{isSurplus ? 'Paid again' : kinds[kind].words}</Status>
          <span className="font-medium tabular-nums">{formatMoney(amount, currency)}</span>
          <span className="min-w-0 truncate font-mono text-sm text-soft" title={externalId}>
            {gateway} · {externalId}
          </span>
          <span className="ml-auto text-sm text-soft">
            <RelativeTime at={dateCreated} />
          </span>
        </li>
      ))}
    </ul>
  )
}
