import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Notice } from '../ui/Notice.tsx'
import { textLink } from '../ui/text-link.ts'
import { resendConfirmation } from './account.ts'

/** After signing up. It says the same whether or not the address was known: strangers learn nothing. */
export function CheckMailPage({ emailAddress }: { emailAddress: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => resendConfirmation({ emailAddress }),
  })
  return (
    <Doorway
      title="Check your mail"
      words={
        <>
          We have sent a link to <strong className="font-semibold text-text wrap-anywhere">{emailAddress}</strong>. Open
          it to confirm the address and sign in.
        </>
      }
      below={
        <p>
          Wrong address?{' '}
          <Link to="/sign-up" reloadDocument className={textLink}>
            Start again
          </Link>
        </p>
      }
    >
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
      {isSuccess ? (
        <Notice kind="success">Sent again. It may take a minute; look into the spam folder too.</Notice>
      ) : (
        <Button isBusy={isPending} onClick={() => mutate()}>
          Send the mail again
        </Button>
      )}
    </Doorway>
  )
}
