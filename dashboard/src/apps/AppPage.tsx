import type { App } from '@keystall/contract/shapes/app'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Section } from '../ui/Card.tsx'
import { CodeText } from '../ui/CodeText.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { AppFields, appForm } from './AppFields.tsx'
import { appQuery, updateApp } from './apps.ts'
import { DeleteSection } from './DeleteSection.tsx'
import { SecretSection } from './SecretSection.tsx'

const route = getRouteApi('/workbench/apps/$appId')
const back = { to: '/apps', label: 'Apps' } as const

export function AppPage() {
  const { appId } = route.useParams()
  const app = useQuery(appQuery(appId))
  if (app.isPending) {
    return (
      <Page title="App" back={back}>
        <SkeletonForm />
      </Page>
    )
  }
  if (app.isError) {
    return (
      <Page title="App" back={back}>
        <ErrorState error={app.error} onRetry={() => void app.refetch()} />
      </Page>
    )
  }
  return (
    <Page title={app.data.name} words={<CodeText text={app.data.id} name="app ID" />} back={back}>
      <div className="flex flex-col gap-10">
        <SettingsSection key={app.data.id} app={app.data} />
        <SecretSection app={app.data} />
        <DeleteSection app={app.data} />
      </div>
    </Page>
  )
}

function SettingsSection({ app }: { app: App }) {
  const form = useForm({
    initial: { name: app.name, redirectUrls: app.redirectUrls.join('\n'), scopes: app.scopes },
    send: (values) => updateApp(app.id, appForm(values)),
    onSent: () => toast('App saved'),
  })
  return (
    <Section
      title="Settings"
      words="When you ask for more, people are asked again. When you ask for less, their keys lose it at once."
    >
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
        <FormFailure failure={form.failure} />
        <AppFields form={form} />
        <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
      </form>
    </Section>
  )
}
