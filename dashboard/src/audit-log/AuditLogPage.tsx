import type { StoreAct } from '@keystall/contract/shapes/act'
import { ScrollText } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { actPage } from './audit-log.ts'

export function AuditLogPage() {
  const store = useCurrentStore()
  return (
    <Page title="Audit log" words="Every change to this store: who, what, when and from where. Nobody can edit it.">
      <PagedTable
        caption="Audit log"
        pageOf={actPage(store.id)}
        rowKey={(act) => act.id}
        columns={[
          {
            head: 'What',
            isName: true,
            render: (act) => (
              <span className="flex flex-col">
                <span className="font-medium">{act.words}</span>
                {act.subjectName !== null && <span className="text-sm text-soft wrap-anywhere">{act.subjectName}</span>}
              </span>
            ),
          },
          {
            head: 'Who',
            render: (act) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 max-sm:justify-end">
                {act.userName}
                <Role act={act} />
              </span>
            ),
          },
          {
            head: 'From',
            render: (act) => (
              <span className="inline-block font-mono text-sm wrap-anywhere sm:min-w-32">
                {act.ipAddress ?? <span aria-label="unknown">–</span>}
              </span>
            ),
          },
          { head: 'When', align: 'end', render: (act) => <RelativeTime at={act.dateCreated} /> },
          { head: 'No.', align: 'end', isWideOnly: true, render: (act) => act.number.toLocaleString() },
        ]}
        empty={
          <EmptyState icon={ScrollText} title="Nothing yet" words="The first change to this store will be here." />
        }
      />
    </Page>
  )
}

function Role({ act }: { act: StoreAct }) {
  if (act.keyLabel !== null) return <Status kind="information">key {act.keyLabel}</Status>
  if (act.role === 'staff') return <Status kind="warning">Staff</Status>
  if (act.role === 'platform') return <Status kind="neutral">By itself</Status>
  return act.role === 'member' ? <Status kind="neutral">Member</Status> : null
}
