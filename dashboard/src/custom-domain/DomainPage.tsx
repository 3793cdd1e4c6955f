import type { CustomDomainStatus } from '@keystall/contract/shapes/custom-domain'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { SettingsFrame } from '../stores/SettingsFrame.tsx'
import { storeQuery } from '../stores/settings.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { domainStatusQuery, removeDomain, setDomain } from './custom-domain.ts'
import { Records } from './Records.tsx'

export function DomainPage() {
  const current = useCurrentStore()
  const store = useQuery(storeQuery(current.id))
  const status = useQuery(domainStatusQuery(current.id))
  const error = store.error ?? status.error
  return (
    <SettingsFrame words={`The store is always at its own address; a domain of yours can lead there too.`}>
      {store.isPending || status.isPending ? (
        <SkeletonForm fields={2} />
      ) : error || store.data === undefined || status.data === undefined ? (
        <ErrorState
          error={error}
          onRetry={() => {
            void store.refetch()
            void status.refetch()
          }}
        />
      ) : store.data.customDomain === null ? (
        <NewDomain storeId={current.id} />
      ) : (
        <SetDomain
          storeId={current.id}
          domain={store.data.customDomain}
          status={status.data}
          isChecking={status.isFetching}
          onCheck={() => void status.refetch()}
        />
      )}
    </SettingsFrame>
  )
}

function NewDomain({ storeId }: { storeId: string }) {
  const mayUpdate = useMay('UpdateStores')
  const form = useForm({
    initial: { domain: '' },
    send: (values) => setDomain(storeId, values),
    onSent: () => toast('Domain set; now its records'),
  })
  return (
    <Section title="Your domain" words="You need to be able to change its DNS records.">
      <form onSubmit={form.submit} noValidate>
        <fieldset disabled={!mayUpdate} className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <Field label="Domain" error={form.errorOf('domain')} help="Such as shop.example.com, without https.">
            <TextInput
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-sm"
              {...form.text('domain')}
            />
          </Field>
          <Button type="submit" shape="primary" className="self-start" isBusy={form.isBusy}>
            Set domain
          </Button>
        </fieldset>
      </form>
    </Section>
  )
}

const states = {
  none: { kind: 'neutral', label: 'Not set', words: '' },
  pending: {
    kind: 'warning',
    label: 'Waiting for the records',
    words:
      'They are not seen yet. After you set them it may take minutes, with some providers hours. We look every few seconds while this page is open, and in the background.',
  },
  active: { kind: 'success', label: 'Active', words: 'The records are right, and the domain leads to your store.' },
  misconfigured: {
    kind: 'danger',
    label: 'Points elsewhere',
    words: 'The domain has records, but not these. Compare each one below with what your provider has.',
  },
} as const satisfies Record<CustomDomainStatus, object>

function SetDomain({
  storeId,
  domain,
  status,
  isChecking,
  onCheck,
}: {
  storeId: string
  domain: string
  status: CustomDomainStatus
  isChecking: boolean
  onCheck: () => void
}) {
  const mayUpdate = useMay('UpdateStores')
  const [isRemoving, setIsRemoving] = useState(false)
  const state = states[status]
  return (
    <div className="flex flex-col gap-10">
      <Section title="Your domain">
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <span className="font-mono wrap-anywhere">{domain}</span>
            <output>
              <Status kind={state.kind}>{state.label}</Status>
            </output>
          </div>
          {state.words !== '' && <p className="text-soft">{state.words}</p>}
          <div className="flex flex-wrap gap-2">
            <Button isBusy={isChecking} onClick={onCheck}>
              {!isChecking && <RotateCw aria-hidden />}
              Check now
            </Button>
            {mayUpdate && (
              <Button shape="dangerQuiet" onClick={() => setIsRemoving(true)}>
                Remove domain
              </Button>
            )}
          </div>
        </div>
      </Section>
      <Records storeId={storeId} />
      {isRemoving && <RemoveDialog storeId={storeId} domain={domain} onClose={() => setIsRemoving(false)} />}
    </div>
  )
}

function RemoveDialog({ storeId, domain, onClose }: { storeId: string; domain: string; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeDomain(storeId),
    onSuccess: () => {
      toast('Domain removed')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${domain}?`}
      act="Remove domain"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Links to it stop working at once. The store stays at its own address.
    </ConfirmDialog>
  )
}
