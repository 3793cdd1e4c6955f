import { buttonClass } from './Button.tsx'
import { Doorway } from './Doorway.tsx'

/** A form that was posted whole, as the consent page's is, and refused: the server's own words. */
export function RefusedPage({ message, requestId }: { message: string; requestId: string | undefined }) {
  return (
    <Doorway
      title="This could not be done"
      words={`${message}. Nothing was changed. Go back to the app and start again from there.`}
    >
      <a href="/" className={buttonClass('primary')}>
        Go to the dashboard
      </a>
      {requestId !== undefined && <p className="text-xs text-soft">Request {requestId}</p>}
    </Doorway>
  )
}
