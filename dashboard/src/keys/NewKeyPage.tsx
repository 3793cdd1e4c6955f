import { KeyForm } from '@keystall/contract/endpoints/keys'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../account/account.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { ScopePicker } from '../ui/ScopePicker.tsx'
import { Select } from '../ui/Select.tsx'
import { ShownOnce } from '../ui/ShownOnce.tsx'
import { StorePicker } from '../ui/StorePicker.tsx'
import { TextArea, TextInput } from '../ui/TextInput.tsx'
import { makeKey } from './keys.ts'

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

type Lifetime = (typeof lifetimes)[number]['value']

interface KeyValues {
  label: string
  scopes: string[]
  storeIds: string[] | null
  expiresAt: Lifetime
  allowedAddresses: string
}

const initial: KeyValues = { label: '', scopes: [], storeIds: null, expiresAt: '', allowedAddresses: '' }
const back = { to: '/keys', label: 'Keys' } as const

export function NewKeyPage() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const [apiKey, setApiKey] = useState<string>()
  const form = useForm({
    initial,
    send: (values) =>
      makeKey({
        ...values,
        expiresAt: values.expiresAt === '' ? null : daysFromNow(Number(values.expiresAt)),
        allowedAddresses: values.allowedAddresses.split(/[\s,]+/).filter(Boolean),
      }),
    onSent: (made) => setApiKey(made.apiKey),
  })
  if (apiKey !== undefined) {
    return (
      <Page title="Your key is ready" words="Send it as a bearer token with every call." back={back}>
        <Card className="flex max-w-2xl flex-col gap-6 p-4 sm:p-6">
          <ShownOnce secret={apiKey} name="API key" />
          <div className="flex justify-end border-t border-line pt-4">
            <Link to="/keys" className={buttonClass('primary')}>
              Done
            </Link>
          </div>
        </Card>
      </Page>
    )
  }
  return (
    <Page title="Make key" back={back}>
      <Card className="max-w-2xl p-4 sm:p-6">
        <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <Field label="Label" error={form.errorOf('label')} help="For you, to tell your keys apart.">
            <TextInput
              autoComplete="off"
              placeholder="Stock import"
              {...limits(KeyForm.properties.label)}
              {...form.text('label')}
            />
          </Field>
          <ScopePicker
            label="Permissions"
            help="What the key may do. Give no more than the program needs."
            value={form.values.scopes}
            onChange={(scopes) => form.set('scopes', scopes)}
            error={form.errorOf('scopes')}
          />
          <StorePicker
            stores={account.stores}
            value={form.values.storeIds}
            onChange={(storeIds) => form.set('storeIds', storeIds)}
            error={form.errorOf('storeIds')}
          />
          <Field label="Ends" error={form.errorOf('expiresAt')}>
            <Select
              value={form.values.expiresAt}
              options={lifetimes}
              onChange={(lifetime) => form.set('expiresAt', lifetime)}
            />
          </Field>
          <Field
            label="Allowed addresses"
            error={form.errorOf('allowedAddresses')}
            help="IP addresses or ranges such as 203.0.113.0/24, one a line. Empty: from anywhere."
          >
            <TextArea
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono text-sm"
              {...form.text('allowedAddresses')}
            />
          </Field>
          <div className="flex flex-col-reverse gap-2 border-t border-line pt-4 sm:flex-row sm:justify-end">
            <Link to="/keys" className={buttonClass('secondary')}>
              Cancel
            </Link>
            <Button type="submit" shape="primary" isBusy={form.isBusy}>
              Make key
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}

function daysFromNow(days: number) {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
