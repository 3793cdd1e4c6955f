import { AppForm } from '@keystall/contract/endpoints/apps'
import { Field } from '../ui/Field.tsx'
import { limits, type useForm } from '../ui/form.tsx'
import { ScopePicker } from '../ui/ScopePicker.tsx'
import { TextArea, TextInput } from '../ui/TextInput.tsx'

export interface AppValues {
  name: string
  /** One address a line, as it is typed. */
  redirectUrls: string
  scopes: string[]
}

export function appForm(values: AppValues) {
  return {
    name: values.name,
    redirectUrls: values.redirectUrls.split('\n').flatMap((line) => line.trim() || []),
    scopes: values.scopes,
  }
}

export function AppFields({ form }: { form: ReturnType<typeof useForm<AppValues, unknown>> }) {
  return (
    <>
      <Field label="Name" error={form.errorOf('name')} help="People read it when they are asked to authorize the app.">
        <TextInput autoComplete="off" {...limits(AppForm.properties.name)} {...form.text('name')} />
      </Field>
      <Field
        label="Redirect addresses"
        error={form.errorOf('redirectUrls')}
        help="One a line. People are sent back to exactly these, character for character; the first is the usual one."
      >
        <TextArea
          placeholder="https://app.example/callback"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
          {...form.text('redirectUrls')}
        />
      </Field>
      <ScopePicker
        label="Permissions"
        help="What the app asks for. Ask for as little as you can: it is the first thing that people read."
        value={form.values.scopes}
        onChange={(scopes) => form.set('scopes', scopes)}
        error={form.errorOf('scopes')}
      />
    </>
  )
}
