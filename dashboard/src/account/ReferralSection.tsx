import type { Account } from '@keystall/contract/shapes/account'
import { getReferralStatistics, listReferralEarnings } from '@keystall/contract/endpoints/user'
import { useQuery } from '@tanstack/react-query'
import { send } from '../api.ts'
import { Section } from '../ui/Card.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Skeleton } from '../ui/Skeleton.tsx'

export function ReferralSection({ account }: { account: Account }) {
  const statistics = useQuery({
    queryKey: ['account', 'referral'],
    queryFn: async ({ signal }) => (await send(getReferralStatistics, { signal })).data,
  })
  const earnings = useQuery({
    queryKey: ['account', 'referral-earnings'],
    queryFn: async ({ signal }) => (await send(listReferralEarnings, { signal })).data,
  })
  const others = earnings.data?.filter(({ currency }) => currency !== 'USD') ?? []
  return (
    <Section id="referral" title="Referral" words="Bring other sellers, and get a share of what they pay here.">
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-1.5">
          <span className="font-medium">Your link</span>
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate rounded-control bg-sunken px-3 py-2 font-mono text-sm">
              {account.referralLink}
            </span>
            <CopyButton text={account.referralLink} label="Copy" />
          </div>
        </div>
        {statistics.isPending ? (
          <Skeleton className="h-14 w-full" />
        ) : statistics.isError ? (
          <ErrorState error={statistics.error} onRetry={() => void statistics.refetch()} />
        ) : (
          <dl className="grid gap-4 sm:grid-cols-3">
            <Figure name="Registered" value={statistics.data.amountRegistered.toLocaleString()} />
            <Figure name="On a paid plan" value={statistics.data.amountSubscribed.toLocaleString()} />
            <Figure name="Earned" value={formatMoney(statistics.data.amountEarned, 'USD')} />
          </dl>
        )}
        {others.length > 0 && (
          <p className="text-sm text-soft">
            In other currencies: {others.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ')}
          </p>
        )}
      </div>
    </Section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-col">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
