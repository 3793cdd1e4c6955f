import { memberWords } from '@keystall/contract/scopes'
import { InvitationForm } from '@keystall/contract/endpoints/members'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { ScopePicker } from '../ui/ScopePicker.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { inviteMember } from './members.ts'
import { useOfferedScopes } from './offered-scopes.ts'

const initial: InvitationForm = { emailAddress: '', scopes: [] }

export function InviteMemberPage() {
  const store = useCurrentStore()
  const navigate = useNavigate()
  const offered = useOfferedScopes()
  const form = useForm({
    initial,
    send: (values) => inviteMember(store.id, values),
    onSent: (_, { emailAddress }) => {
      toast(`Invitation sent to ${emailAddress}`)
      void navigate({ to: '/stores/$storeId/members', params: { storeId: store.id } })
    },
  })
  return (
    <Page
      title="Invite somebody"
      words="They get a mail with a link that is good for seven days."
      back={{ to: '/stores/$storeId/members', params: { storeId: store.id }, label: 'Members' }}
    >
      <Card className="max-w-2xl p-4 sm:p-6">
        <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <Field
            label="E-mail"
            error={form.errorOf('emailAddress')}
            help="Only this address can accept. Who has no account makes one on the way."
          >
            <TextInput
              type="email"
              autoComplete="off"
              {...limits(InvitationForm.properties.emailAddress)}
              {...form.text('emailAddress')}
            />
          </Field>
          <ScopePicker
            label="May do"
            help="In this store. You can give what you may do yourself."
            offered={offered}
            wordsOf={memberWords}
            value={form.values.scopes}
            onChange={(scopes) => form.set('scopes', scopes)}
            error={form.errorOf('scopes')}
          />
          <div className="flex flex-col-reverse gap-2 border-t border-line pt-4 sm:flex-row sm:justify-end">
            <Link to="/stores/$storeId/members" params={{ storeId: store.id }} className={buttonClass('secondary')}>
              Cancel
            </Link>
            <Button type="submit" shape="primary" isBusy={form.isBusy}>
              Send invitation
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
