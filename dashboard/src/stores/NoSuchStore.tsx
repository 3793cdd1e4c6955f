import { Link } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

export function NoSuchStore() {
  return (
    <Page title="No such store">
      <EmptyState
        icon={Store}
        title="Nothing here for you"
        words="The address may be misspelt, the store may be closed, or you are no longer one of its members."
        act={
          <Link to="/" className={buttonClass('primary')}>
            Go home
          </Link>
        }
      />
    </Page>
  )
}
