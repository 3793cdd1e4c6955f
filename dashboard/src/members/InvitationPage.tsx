import { InvitationSignUpForm } from '@keystall/contract/endpoints/members'
import { memberWords, scopeNames } from '@keystall/contract/scopes'
import type { InvitationView } from '@keystall/contract/shapes/member'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { accountQuery, leave } from '../account/account.ts'
import { NewPasswordField } from '../account/NewPasswordField.tsx'
import { failureOf } from '../api.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { acceptInvitation, invitationQuery, signUpByInvitation } from './members.ts'

const route = getRouteApi('/invitation')

/** The link of the mail. It acts on a click, not on being opened: mail scanners open links too. */
export function InvitationPage() {
  const { store: storeId = '', token = '' } = route.useSearch()
  const link = { storeId, token }
  const invitation = useQuery(invitationQuery(link))
  const account = useQuery({ ...accountQuery, retry: false })
  if (invitation.isError) {
    const { code, message } = failureOf(invitation.error)
    return (
      <Doorway title="This invitation does not work">
        <Notice kind="danger">
          {code === 'ValidationError'
            ? 'It is used, withdrawn or too old. Ask whoever invited you to send it again.'
            : message}
        </Notice>
      </Doorway>
    )
  }
  if (invitation.isPending || account.isPending) {
    return (
      <Doorway title="Invitation">
        <Skeleton className="h-24 w-full" />
      </Doorway>
    )
  }
  const { data } = invitation
  const isInvited = account.data?.emailAddress.toLowerCase() === data.emailAddress.toLowerCase()
  return (
    <Doorway
      title={`Join ${data.storeName}`}
      words={`${data.invitedBy} asks you to work in this store.`}
      below={<p>For {data.emailAddress}</p>}
      isWide
    >
      <Given invitation={data} />
      {isInvited ? (
        <Accept link={link} />
      ) : account.data ? (
        <OtherAccount emailAddress={account.data.emailAddress} invited={data.emailAddress} />
      ) : data.hasAccount ? (
        <Link to="/sign-in" search={{ next: location.pathname + location.search }} className={buttonClass('primary')}>
          Sign in to accept
        </Link>
      ) : (
        <NewAccount link={link} />
      )}
    </Doorway>
  )
}

function Given({ invitation }: { invitation: InvitationView }) {
  return (
    <section aria-label="What you could do" className="flex flex-col gap-2">
      <span className="font-medium">You could</span>
      <ul className="flex flex-col gap-1.5">
        {scopeNames
          .filter((scope) => invitation.scopes.includes(scope))
          .map((scope) => (
            <li key={scope} className="flex items-start gap-2">
              <Check aria-hidden className="mt-1 size-3.5 shrink-0 text-success" />
              {memberWords(scope)}
            </li>
          ))}
      </ul>
    </section>
  )
}

interface LinkProps {
  link: { storeId: string; token: string }
}

const enter = (storeId: string) => location.assign(`/stores/${storeId}`)

function Accept({ link }: LinkProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => acceptInvitation(link),
    onSuccess: () => enter(link.storeId),
  })
  return (
    <>
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
      <Button shape="primary" isBusy={isPending || isSuccess} onClick={() => mutate()}>
        Accept invitation
      </Button>
    </>
  )
}

function OtherAccount({ emailAddress, invited }: { emailAddress: string; invited: string }) {
  return (
    <>
      <Notice kind="warning">
        You are signed in as {emailAddress}. This invitation is for {invited}.
      </Notice>
      <Button onClick={() => void leave(location.pathname + location.search)}>Sign in as somebody else</Button>
    </>
  )
}

function NewAccount({ link }: LinkProps) {
  const form = useForm({
    initial: { userName: '', password: '' },
    send: (values) => signUpByInvitation({ ...values, ...link }),
    onSent: () => enter(link.storeId),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-5 border-t border-line pt-6">
      <FormFailure failure={form.failure} />
      <Field label="User name" error={form.errorOf('userName')} help="Letters, digits, dots, dashes and underscores.">
        <TextInput
          autoComplete="nickname"
          {...limits(InvitationSignUpForm.properties.userName)}
          {...form.text('userName')}
        />
      </Field>
      <NewPasswordField
        label="Password"
        schema={InvitationSignUpForm.properties.password}
        error={form.errorOf('password')}
        {...form.text('password')}
      />
      <Button type="submit" shape="primary" isBusy={form.isBusy}>
        Create account and accept
      </Button>
    </form>
  )
}
