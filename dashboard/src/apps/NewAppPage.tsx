import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { CodeText } from '../ui/CodeText.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { ShownOnce } from '../ui/ShownOnce.tsx'
import { AppFields, type AppValues, appForm } from './AppFields.tsx'
import { createApp } from './apps.ts'

const noValues: AppValues = { name: '', redirectUrls: '', scopes: [] }

type Created = Awaited<ReturnType<typeof createApp>>

export function NewAppPage() {
  const [created, setCreated] = useState<Created>()
  const form = useForm({
    initial: noValues,
    send: (values) => createApp(appForm(values)),
    onSent: setCreated,
  })
  const back = { to: '/apps', label: 'Apps' } as const
  if (created) {
    return (
      <Page title={`${created.app.name} is ready`} words="Two things to put into your program." back={back}>
        <Card className="flex max-w-2xl flex-col gap-6 p-4 sm:p-6">
          <div className="flex flex-col gap-1">
            <span className="font-medium">App ID</span>
            <CodeText text={created.app.id} name="app ID" />
          </div>
          <div className="flex flex-col gap-2">
            <span className="font-medium">Client secret</span>
            <ShownOnce secret={created.clientSecret} name="client secret" />
          </div>
          <div className="flex justify-end border-t border-line pt-4">
            <Link to="/apps/$appId" params={{ appId: created.app.id }} className={buttonClass('primary')}>
              Go to the app
            </Link>
          </div>
        </Card>
      </Page>
    )
  }
  return (
    <Page title="Create app" back={back}>
      <Card className="max-w-2xl p-4 sm:p-6">
        <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <AppFields form={form} />
          <div className="flex flex-col-reverse gap-2 border-t border-line pt-4 sm:flex-row sm:justify-end">
            <Link to="/apps" className={buttonClass('secondary')}>
              Cancel
            </Link>
            <Button type="submit" shape="primary" isBusy={form.isBusy}>
              Create app
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
