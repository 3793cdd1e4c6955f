import { getRouteApi } from '@tanstack/react-router'
import { confirmEmail } from './account.ts'
import { TokenPage } from './TokenPage.tsx'

const route = getRouteApi('/confirm-email')

/** The link of the mail to a changed address. */
export function ConfirmEmailPage() {
  const { token = '' } = route.useSearch()
  return (
    <TokenPage
      title="Confirm your new e-mail address"
      words="From then on you sign in with it."
      act="Confirm address"
      send={() => confirmEmail({ token })}
      onSent={() => location.assign('/account')}
    />
  )
}
