import { Link } from '@tanstack/react-router'
import { buttonClass } from './Button.tsx'
import { Doorway } from './Doorway.tsx'

export function NotFoundPage() {
  return (
    <Doorway title="No such page" words="The address may be misspelt, or what was here is gone.">
      <Link to="/" className={buttonClass('primary')}>
        Go home
      </Link>
    </Doorway>
  )
}
