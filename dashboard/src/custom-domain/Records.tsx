import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Section } from '../ui/Card.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { domainRecordsQuery } from './custom-domain.ts'

export function Records({ storeId }: { storeId: string }) {
  const records = useQuery(domainRecordsQuery(storeId))
  return (
    <Section title="DNS records" words="Set each of them with your DNS provider. A click copies.">
      {records.isPending ? (
        <SkeletonRows count={2} />
      ) : records.isError ? (
        <ErrorState error={records.error} onRetry={() => void records.refetch()} />
      ) : (
        <ul aria-label="Records" className="flex flex-col gap-4">
          {records.data.map((record) => (
            <li
              key={`${record.type} ${record.name} ${record.value}`}
              className="grid gap-x-6 gap-y-2 border-line not-last:border-b not-last:pb-4 sm:grid-cols-[64px_minmax(0,1fr)_minmax(0,1fr)]"
            >
              <Part label="Type">
                <span className="font-mono text-sm">{record.type}</span>
              </Part>
              <Part label="Name">
                <CopyText text={record.name} name={`name of the ${record.type} record`} />
              </Part>
              <Part label="Value">
                <CopyText text={record.value} name={`value of the ${record.type} record`} />
              </Part>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="text-xs text-soft">{label}</span>
      {children}
    </span>
  )
}
