import { ProfileForm } from '@keystall/contract/endpoints/account'
import type { Account } from '@keystall/contract/shapes/account'
import { Section } from '../ui/Card.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { changeProfile } from './account.ts'

export function ProfileSection({ account }: { account: Account }) {
  const form = useForm({
    initial: {
      userName: account.userName,
      chatWebhookUrl: account.chatWebhookUrl ?? '',
      allowMarketplace: account.allowMarketplace,
    },
    send: (values) => changeProfile({ ...values, chatWebhookUrl: values.chatWebhookUrl || null }),
    onSent: () => toast('Profile saved'),
  })
  return (
    <Section title="Profile" words="Your user name is shown beside your stores.">
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <FormFailure failure={form.failure} />
        <Field label="User name" error={form.errorOf('userName')}>
          <TextInput autoComplete="nickname" {...limits(ProfileForm.properties.userName)} {...form.text('userName')} />
        </Field>
        <Field
          label="Chat webhook"
          error={form.errorOf('chatWebhookUrl')}
          help="An address of your chat that gets a short message for every sale. Leave it empty for none."
        >
          <TextInput type="url" inputMode="url" placeholder="https://" {...form.text('chatWebhookUrl')} />
        </Field>
        <Checkbox
          label="Show my products in the marketplace"
          checked={form.values.allowMarketplace}
          onChange={(event) => form.set('allowMarketplace', event.target.checked)}
        />
        <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
      </form>
    </Section>
  )
}
