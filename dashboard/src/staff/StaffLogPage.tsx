import { ScrollText } from 'lucide-react'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { staffActPage } from './staff.ts'

export function StaffLogPage() {
  return (
    <Page title="Staff log" words="Everything that staff did. Nobody can edit it.">
      <PagedTable
        caption="Staff log"
        pageOf={staffActPage}
        rowKey={(act) => act.id}
        columns={[
          {
            head: 'What',
            isName: true,
            render: (act) => (
              <span className="flex max-w-96 flex-col">
                <span className="font-medium">{act.words}</span>
                <span className="text-sm text-soft wrap-anywhere">
                  {[act.subjectName, act.reason].filter(Boolean).join(': ')}
                </span>
              </span>
            ),
          },
          { head: 'Who', render: (act) => act.userName },
          { head: 'From', render: (act) => <span className="font-mono text-sm">{act.ipAddress}</span> },
          { head: 'When', align: 'end', render: (act) => <RelativeTime at={act.dateCreated} /> },
        ]}
        empty={<EmptyState icon={ScrollText} title="Nothing yet" words="The first act of the staff will be here." />}
      />
    </Page>
  )
}
