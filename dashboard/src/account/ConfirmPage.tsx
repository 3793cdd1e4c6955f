import { getRouteApi, Link } from '@tanstack/react-router'
import { confirmSignUp } from './account.ts'
import { textLink } from '../ui/text-link.ts'
import { TokenPage } from './TokenPage.tsx'

const route = getRouteApi('/confirm')

/** The link of the first mail. Confirming signs in. */
export function ConfirmPage() {
  const { token = '' } = route.useSearch()
  return (
    <TokenPage
      title="Confirm your e-mail address"
      words="One click, and your account is ready."
      act="Confirm address"
      send={() => confirmSignUp({ token })}
      onSent={() => location.assign('/')}
      below={
        <p>
          Link too old?{' '}
          <Link to="/sign-in" className={textLink}>
            Sign in
          </Link>{' '}
          to get a new one.
        </p>
      }
    />
  )
}
