import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { accountQuery } from '../account/account.ts'
import { PeriodSwitch } from '../analytics/PeriodSwitch.tsx'
import { useChosenStore } from '../stores/chosen-store.ts'
import { Page } from '../ui/Page.tsx'
import { textLink } from '../ui/text-link.ts'
import { FirstSteps } from '../first-steps/FirstSteps.tsx'
import { StoreHome } from './StoreHome.tsx'

/** Only for who has no store yet. */
const NextSteps = lazy(async () => ({ default: (await import('./NextSteps.tsx')).NextSteps }))

export function HomePage() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const store = useChosenStore(account.stores)
  const { days: period = '30' } = useSearch({ from: '/workbench/' })
  const navigate = useNavigate({ from: '/' })
  return (
    <Page
      title={`${greeting()}, ${account.userName}`}
      words={
        store && (
          <a
            href={`${location.protocol}//${store.domain}/`}
            target="_blank"
            rel="noreferrer"
            className={`${textLink} inline-flex max-w-full items-center gap-0.5`}
          >
            <span className="truncate">{store.domain}</span>
            <ArrowUpRight aria-label="opens in a new tab" className="size-3.5 shrink-0" />
          </a>
        )
      }
      act={
        store && (
          <PeriodSwitch
            value={period}
            onChange={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
          />
        )
      }
    >
      <FirstSteps key={store?.id ?? ''} />
      {store ? (
        <StoreHome key={store.id} period={period} />
      ) : (
        <Suspense>
          <NextSteps account={account} />
        </Suspense>
      )}
    </Page>
  )
}

function greeting() {
  const hour = new Date().getHours()
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}
