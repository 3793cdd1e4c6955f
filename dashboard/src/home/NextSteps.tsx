import type { Account } from '@keystall/contract/shapes/account'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Blocks, ChevronRight, CircleCheck, KeyRound, type LucideIcon, ShieldCheck } from 'lucide-react'
import { appsQuery } from '../apps/apps.ts'
import { keysQuery } from '../keys/keys.ts'
import { Card } from '../ui/Card.tsx'

/** What makes an account whole. What is done stays, ticked, as the way to its page. */
export function NextSteps({ account }: { account: Account }) {
  const keys = useQuery(keysQuery)
  const apps = useQuery(appsQuery)
  return (
    <section aria-labelledby="next-steps" className="flex flex-col gap-3">
      <h2 id="next-steps" className="text-lg">
        Next steps
      </h2>
      <Card>
        <Link to="/account" hash="two-factor" className={row}>
          <Step
            icon={ShieldCheck}
            title="Protect your account"
            words="Ask for a code from your phone besides the password."
            isDone={account.isTwoFactorEnabled}
          />
        </Link>
        <Link to={keys.data?.length ? '/keys' : '/keys/new'} className={row}>
          <Step
            icon={KeyRound}
            title="Make a key"
            words="Let your own scripts fill the shelves and deliver orders."
            isDone={Boolean(keys.data?.length)}
          />
        </Link>
        <Link to={apps.data?.length ? '/apps' : '/apps/new'} className={row}>
          <Step
            icon={Blocks}
            title="Create an app"
            words="Build something that other sellers can connect to their stores."
            isDone={Boolean(apps.data?.length)}
          />
        </Link>
      </Card>
    </section>
  )
}

const row =
  'flex items-center gap-4 border-line p-4 transition-colors not-last:border-b first:rounded-t-card last:rounded-b-card hover:bg-sunken sm:px-5'

function Step({
  icon: Icon,
  title,
  words,
  isDone,
}: {
  icon: LucideIcon
  title: string
  words: string
  isDone: boolean
}) {
  return (
    <>
      <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-soft">{words}</span>
      </span>
      {isDone ? (
        <span className="flex items-center gap-1.5 text-sm font-medium text-success">
          <CircleCheck aria-hidden className="size-4" />
          Done
        </span>
      ) : (
        <ChevronRight aria-hidden className="size-4 shrink-0 text-soft" />
      )}
    </>
  )
}
