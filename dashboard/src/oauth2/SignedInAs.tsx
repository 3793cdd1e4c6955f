import { useQuery } from '@tanstack/react-query'
import { accountQuery, leave } from '../account/account.ts'
import { textLink } from '../ui/text-link.ts'

/** So that nobody lets an app into the wrong account. */
export function SignedInAs() {
  const account = useQuery(accountQuery)
  if (!account.data) return null
  return (
    <p>
      Signed in as <span className="font-medium text-text wrap-anywhere">{account.data.emailAddress}</span>.{' '}
      <button type="button" className={textLink} onClick={() => void leave(location.pathname + location.search)}>
        Not you?
      </button>
    </p>
  )
}
