import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Leads nowhere but home: an address that did not pass the check is never followed, nor shown as a link. */
export function ConsentRefused({ message }: { message: string }) {
  return (
    <Doorway
      title="This app cannot be authorized"
      words="The link that brought you here is not right. Nothing was shared. Go back to the app and try again; if it happens again, tell its makers."
    >
      <Notice kind="danger">{message}</Notice>
      <Link to="/" className={buttonClass('secondary')}>
        Go to your dashboard
      </Link>
    </Doorway>
  )
}
