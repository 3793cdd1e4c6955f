import type { PaymentMethodSettings } from '@keystall/contract/shapes/payment-method'
import type { SweepOffer } from '@keystall/contract/shapes/sweep'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { ProveFields } from '../account/ProveFields.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Facts } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { startSweep, sweepQuery } from './payments.ts'

/** Sends on what came: first what it costs, then where to. */
export function SweepDialog({ method, onClose }: { method: PaymentMethodSettings; onClose: () => void }) {
  const store = useCurrentStore()
  const offer = useQuery(sweepQuery({ storeId: store.id, method: method.id }))
  return (
    <Dialog title={`Send ${method.name} on`} onClose={onClose}>
      {offer.isPending ? (
        <SkeletonForm />
      ) : offer.isError ? (
        <ErrorState error={offer.error} onRetry={() => void offer.refetch()} />
      ) : (
        <>
          {offer.data.reason === null ? (
            <SweepForm method={method} offer={offer.data} onClose={onClose} />
          ) : (
            <>
              <Notice kind="information">
                <span className="wrap-anywhere">{offer.data.reason}</span>
              </Notice>
              {offer.data.feeAddress !== null && <CopyText text={offer.data.feeAddress} name="address" />}
              <DialogButtons>
                <Button onClick={onClose}>Close</Button>
              </DialogButtons>
            </>
          )}
          <SentOn offer={offer.data} />
        </>
      )}
    </Dialog>
  )
}

function SweepForm({
  method,
  offer,
  onClose,
}: {
  method: PaymentMethodSettings
  offer: SweepOffer
  onClose: () => void
}) {
  const store = useCurrentStore()
  const { data: account } = useSuspenseQuery(accountQuery)
  const form = useForm({
    initial: { recipient: '', password: '', code: '' },
    send: ({ recipient, password, code }) =>
      startSweep(
        { storeId: store.id, method: method.id },
        { recipient: recipient.trim(), feeMax: offer.fee, password, code: code === '' ? null : code },
      ),
    onSent: () => {
      toast('The money is being sent')
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
      <Facts
        facts={[
          [
            'Arrives',
            <span key="amount" className="font-semibold tabular-nums">{`${offer.amount} ${offer.coin}`}</span>,
          ],
          ['Fee, at most', <span key="fee" className="tabular-nums">{`${offer.fee} ETH`}</span>],
          ['From', offer.addresses === 1 ? '1 address' : `${offer.addresses} addresses`],
        ]}
      />
      <FormFailure failure={form.failure} />
      <Field
        label="Your address"
        error={form.errorOf('recipient')}
        help="Nobody can bring it back from a wrong one: copy it, and look at its first and last letters."
      >
        <TextInput className="font-mono text-sm" autoComplete="off" spellCheck={false} {...form.text('recipient')} />
      </Field>
      <ProveFields
        passwordLabel="Your password"
        password={form.text('password')}
        passwordError={form.errorOf('password')}
        code={form.text('code')}
        codeError={form.errorOf('code')}
        isTwoFactorEnabled={account.isTwoFactorEnabled}
      />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" shape="primary" isBusy={form.isBusy}>
          Send money
        </Button>
      </DialogButtons>
    </form>
  )
}

const states = {
  open: <Status kind="information">On its way</Status>,
  done: <Status kind="success">Arrived</Status>,
  failed: <Status kind="danger">Failed</Status>,
}

function SentOn({ offer: { sweeps, coin } }: { offer: SweepOffer }) {
  if (sweeps.length === 0) return null
  return (
    <section aria-label="Sent before" className="border-t border-line pt-4">
      <h3 className="mb-1 text-sm font-medium">Sent before</h3>
      <ul className="flex max-h-48 flex-col divide-y divide-line overflow-y-auto">
        {sweeps.map(({ id, amount, recipient, status, failure, dateCreated }) => (
          <li key={id} className="flex flex-col gap-0.5 py-2">
            <div className="flex items-center justify-between gap-4">
              <span className="tabular-nums">{`${amount} ${coin}`}</span>
              {states[status]}
            </div>
            <p className="truncate text-sm text-soft" title={recipient}>
              <RelativeTime at={dateCreated} /> · to <span className="font-mono">{recipient}</span>
            </p>
            {failure !== null && <p className="text-sm text-danger first-letter:uppercase">{failure}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
