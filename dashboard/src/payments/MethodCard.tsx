import type { PaymentMethodSettings } from '@keystall/contract/shapes/payment-method'
import { useMutation } from '@tanstack/react-query'
import {
  Bitcoin,
  Coins,
  CreditCard,
  FlaskConical,
  Gift,
  HandCoins,
  Landmark,
  type LucideIcon,
  Pencil,
  Send,
  Settings2,
  Wallet,
} from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Status } from '../ui/Status.tsx'
import { Switch } from '../ui/Switch.tsx'
import { toast } from '../ui/Toast.tsx'
import { MethodForm } from './MethodForm.tsx'
import { SweepDialog } from './SweepDialog.tsx'
import { switchPaymentMethod } from './payments.ts'

const icons: Readonly<Record<string, LucideIcon>> = {
  card: CreditCard,
  bitcoin: Bitcoin,
  litecoin: Coins,
  transfer: Landmark,
  wallet: Wallet,
  balance: Gift,
  test: FlaskConical,
}

/** A method at a glance: what it is, whether it works, a switch. Its form opens inside. */
export function MethodCard({ method }: { method: PaymentMethodSettings }) {
  const store = useCurrentStore()
  const mayChange = useMay('UpdatePaymentMethods')
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (isEnabled: boolean) => switchPaymentMethod({ storeId: store.id, method: method.id }, isEnabled),
    onSuccess: (_, isEnabled) => toast(`${method.name} is ${isEnabled ? 'on' : 'off'}`),
  })
  const Icon = icons[method.id] ?? HandCoins
  const hasForm = method.fields.length > 0
  const [isSweeping, setIsSweeping] = useState(false)
  return (
    <Card>
      <div className="flex items-start gap-4 p-4 sm:p-5">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-sunken text-soft max-sm:hidden">
          <Icon aria-hidden className="size-5" />
        </span>
        <div className="flex min-w-0 grow flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg">{method.name}</h2>
            <MethodState method={method} />
          </div>
          <p className="text-sm text-soft">{method.words}</p>
        </div>
        <div className="flex shrink-0 items-center gap-3">
          {method.canBeSwept && method.isSetUp && mayChange && !isOpen && (
            <Button onClick={() => setIsSweeping(true)} aria-label={`Send ${method.name} on`}>
              <Send aria-hidden />
              <span className="max-sm:sr-only">Send on</span>
            </Button>
          )}
          {hasForm && mayChange && !isOpen && (
            <Button
              onClick={() => setIsOpen(true)}
              aria-label={`${method.isSetUp ? 'Change' : 'Set up'} ${method.name}`}
            >
              {method.isSetUp ? <Pencil aria-hidden /> : <Settings2 aria-hidden />}
              <span className="max-sm:sr-only">{method.isSetUp ? 'Change' : 'Set up'}</span>
            </Button>
          )}
          {(method.isSetUp || !hasForm) && (
            <Switch
              label={<span className="sr-only">Take {method.name}</span>}
              isOn={method.isEnabled}
              isDisabled={!mayChange || isPending}
              onChange={mutate}
            />
          )}
        </div>
      </div>
      {(error || method.disabledReason !== null || method.problem !== null) && (
        <div className="flex flex-col gap-2 px-4 pb-4 sm:px-5 sm:pb-5">
          {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
          {method.disabledReason !== null && (
            <Notice kind="danger">The platform does not let you take this method: {method.disabledReason}</Notice>
          )}
          {method.problem !== null && <Notice kind="warning">{method.problem}</Notice>}
        </div>
      )}
      {isSweeping && <SweepDialog method={method} onClose={() => setIsSweeping(false)} />}
      {isOpen && <MethodForm method={method} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function MethodState({ method }: { method: PaymentMethodSettings }) {
  if (method.disabledReason !== null) return <Status kind="danger">Not allowed</Status>
  if (!method.isSetUp && method.fields.length > 0) return <Status kind="neutral">Not set up</Status>
  if (!method.isEnabled) return <Status kind="neutral">Off</Status>
  return method.problem === null ? <Status kind="success">On</Status> : <Status kind="warning">On, look here</Status>
}
