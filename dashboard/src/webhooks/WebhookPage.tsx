import type { WebhookForm } from '@keystall/contract/endpoints/webhooks'
import { eventTypes, type Webhook } from '@keystall/contract/shapes/webhook'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field, FieldGroup } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { createWebhook, deleteWebhook, updateWebhook, webhooksQuery } from './webhooks.ts'

export function NewWebhookPage() {
  const store = useCurrentStore()
  return (
    <Page title="Add webhook" back={backTo(store.id)}>
      <WebhookEditor storeId={store.id} />
    </Page>
  )
}

export function WebhookPage() {
  const store = useCurrentStore()
  const { webhookId } = useParams({ from: '/workbench/stores/$storeId/settings/webhooks/$webhookId' })
  const webhooks = useQuery(webhooksQuery(store.id))
  const webhook = webhooks.data?.find(({ id }) => id === webhookId)
  const mayUpdate = useMay('UpdateStores')
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Page
      title="Webhook"
      back={backTo(store.id)}
      act={
        webhook &&
        mayUpdate && (
          <Button shape="dangerQuiet" onClick={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            Delete webhook
          </Button>
        )
      }
    >
      {webhooks.isPending ? (
        <SkeletonForm />
      ) : webhooks.isError ? (
        <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhook === undefined ? (
        <p className="text-soft">The store has no such webhook. It may have been deleted meanwhile.</p>
      ) : (
        <WebhookEditor key={webhook.id} storeId={store.id} webhook={webhook} />
      )}
      {isDeleting && webhook && (
        <DeleteDialog storeId={store.id} webhook={webhook} onClose={() => setIsDeleting(false)} />
      )}
    </Page>
  )
}

function backTo(storeId: string) {
  return { to: '/stores/$storeId/settings/webhooks', params: { storeId }, label: 'Webhooks' } as const
}

function WebhookEditor({ storeId, webhook }: { storeId: string; webhook?: Webhook }) {
  const navigate = useNavigate()
  const mayUpdate = useMay('UpdateStores')
  const form = useForm({
    initial: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook?.events ?? [],
      isEnabled: webhook?.isEnabled ?? true,
    },
    send: async ({ description, ...values }) => {
      const body: WebhookForm = { ...values, description: description.trim() === '' ? null : description }
      if (webhook) await updateWebhook(storeId, webhook.id, body)
      else await createWebhook(storeId, body)
    },
    onSent: () => {
      toast(webhook ? 'Webhook saved' : 'Webhook added')
      if (!webhook) {
        void navigate({ to: '/stores/$storeId/settings/webhooks', params: { storeId }, ignoreBlocker: true })
      }
    },
  })
  const { events } = form.values
  return (
    <form onSubmit={form.submit} noValidate className="flex max-w-2xl flex-col gap-6">
      <Card className="p-4 sm:p-6">
        <fieldset disabled={!mayUpdate} className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          {webhook?.disabledReason && <Notice kind="warning">Stopped: {webhook.disabledReason}.</Notice>}
          <Field label="Address" error={form.errorOf('url')}>
            <TextInput
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
              className="font-mono text-sm"
              {...form.text('url')}
            />
          </Field>
          <Field label="Note" error={form.errorOf('description')} help="For you: what listens there.">
            <TextInput maxLength={256} {...form.text('description')} />
          </Field>
          <FieldGroup
            label="Events"
            help="None chosen means all, also those that come later."
            error={form.errorOf('events')}
          >
            <div className="grid gap-2 sm:grid-cols-2">
              {eventTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={<span className="font-mono text-sm">{type}</span>}
                  checked={events.includes(type)}
                  onChange={(event) =>
                    form.set(
                      'events',
                      eventTypes.filter((each) => (each === type ? event.target.checked : events.includes(each))),
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
          <Switch label="Enabled" isOn={form.values.isEnabled} onChange={(isOn) => form.set('isEnabled', isOn)} />
          {!webhook && (
            <Button type="submit" shape="primary" className="self-start" isBusy={form.isBusy}>
              Add webhook
            </Button>
          )}
        </fieldset>
      </Card>
      {webhook && <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />}
    </form>
  )
}

function DeleteDialog({ storeId, webhook, onClose }: { storeId: string; webhook: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteWebhook(storeId, webhook.id),
    onSuccess: () => {
      toast('Webhook deleted')
      void navigate({ to: '/stores/$storeId/settings/webhooks', params: { storeId } })
    },
  })
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      act="Delete webhook"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Nothing more is sent to <span className="font-mono text-sm wrap-anywhere">{webhook.url}</span>, events that still
      wait for it included.
    </ConfirmDialog>
  )
}
