import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EditorFrame } from '../ui/EditorFrame.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { useCurrentStore } from './current-store.ts'
import { useMay } from './rights.ts'
import { StorePreview } from './StorePreview.tsx'
import { type StoreSettings, saveStore, settingsQuery } from './settings.ts'
import { draftOf, formOf, type StoreValues, valuesOf } from './store-form.ts'

export type StoreFormState = ReturnType<typeof useForm<StoreValues, unknown>>

/** Some of the store's form, with the store's home page beside it. The API takes the form whole. */
export function SettingsForm({ children }: { children: (form: StoreFormState) => ReactNode }) {
  const store = useCurrentStore()
  const settings = useQuery(settingsQuery(store.id))
  if (settings.isPending) return <SkeletonForm fields={5} />
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
  return (
    <Editor key={store.id} storeId={store.id} saved={settings.data}>
      {children}
    </Editor>
  )
}

function Editor({
  storeId,
  saved,
  children,
}: {
  storeId: string
  saved: StoreSettings
  children: (form: StoreFormState) => ReactNode
}) {
  const mayUpdate = useMay('UpdateStores')
  const form = useForm<StoreValues, unknown>({
    initial: valuesOf(saved),
    send: (values) => saveStore(storeId, formOf(values, saved)),
    onSent: () => toast('Store saved'),
  })
  return (
    <EditorFrame preview={<StorePreview storeId={storeId} form={{ store: draftOf(form.values, saved) }} />}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-8">
        <FormFailure failure={form.failure} />
        <fieldset disabled={!mayUpdate} className="flex min-w-0 flex-col gap-8">
          {children(form)}
        </fieldset>
        <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
      </form>
    </EditorFrame>
  )
}
