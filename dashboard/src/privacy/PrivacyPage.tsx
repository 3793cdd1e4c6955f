import type { Retention } from '@keystall/contract/endpoints/privacy'
import { useQuery } from '@tanstack/react-query'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Section } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { Select } from '../ui/Select.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { retentionQuery, saveRetention } from './privacy.ts'

const common = [null, 7, 30, 90, 180, 365, 730]

/** The usual spans, and whatever a program has set. */
function optionsWith(days: number | null) {
  return [...new Set([...common, days])]
    .toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity))
    .map((each) => ({ value: String(each ?? ''), label: each === null ? 'For good' : `${each} days` }))
}

export function PrivacyPage() {
  const store = useCurrentStore()
  const retention = useQuery(retentionQuery(store.id))
  return (
    <Page title="Privacy" words="How long this store keeps what it knows of people.">
      {retention.isPending ? (
        <SkeletonForm />
      ) : retention.isError ? (
        <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />
      ) : (
        <RetentionFields retention={retention.data} />
      )}
    </Page>
  )
}

function RetentionFields({ retention }: { retention: Retention }) {
  const store = useCurrentStore()
  const mayUpdate = useMay('UpdateStores')
  const form = useForm({
    initial: {
      keepAddressesDays: String(retention.keepAddressesDays ?? ''),
      keepTicketsDays: String(retention.keepTicketsDays ?? ''),
    },
    send: ({ keepAddressesDays, keepTicketsDays }) =>
      saveRetention(store.id, {
        keepAddressesDays: keepAddressesDays === '' ? null : Number(keepAddressesDays),
        keepTicketsDays: keepTicketsDays === '' ? null : Number(keepTicketsDays),
      }),
    onSent: () => toast('Privacy settings saved'),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-10">
      <FormFailure failure={form.failure} />
      <Section
        title="Addresses and browsers"
        words="They help against fraud and disputes, and are nobody's business afterwards."
      >
        <Field
          label="Keep buyers' IP addresses and browsers"
          error={form.errorOf('keepAddressesDays')}
          help="Counted from the order. What is older is forgotten within hours, and cannot be brought back."
        >
          <Select
            value={form.values.keepAddressesDays}
            options={optionsWith(retention.keepAddressesDays)}
            onChange={(days) => form.set('keepAddressesDays', days)}
          />
        </Field>
      </Section>
      <Section title="Tickets" words="That a ticket was there stays in the figures.">
        <Field
          label="Keep what closed tickets say"
          error={form.errorOf('keepTicketsDays')}
          help="Counted from the day a ticket was closed: messages and files go."
        >
          <Select
            value={form.values.keepTicketsDays}
            options={optionsWith(retention.keepTicketsDays)}
            onChange={(days) => form.set('keepTicketsDays', days)}
          />
        </Field>
      </Section>
      <Section title="Forget a person" words="When a customer asks for it.">
        <p className="text-soft">
          Open the customer and choose Erase customer. Their orders keep the amounts and lose the person: address,
          browser, answers and messages.
        </p>
      </Section>
      {mayUpdate && <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />}
    </form>
  )
}
