import type { StaffReport } from '@keystall/contract/shapes/staff'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Siren } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, FilterChip } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { rowLink } from '../ui/Table.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { closeReport, reportPage } from './staff.ts'

const names: Record<StaffReport['type'], string> = {
  fraud: 'Fraud',
  counterfeit: 'Counterfeit',
  stolen: 'Stolen',
  illegal: 'Illegal',
  other: 'Other',
}

export function StaffReportsPage() {
  const { state } = useSearch({ from: '/workbench/staff/reports' })
  const navigate = useNavigate({ from: '/staff/reports' })
  const [closing, setClosing] = useState<StaffReport>()
  return (
    <Page title="Reports" words="What people say about stores. The seller never sees who said it.">
      <FilterBar>
        <FilterChip
          label="State"
          value={state}
          options={[{ value: 'done', label: 'closed' }]}
          onChange={(value) => void navigate({ search: value ? { state: value } : {}, replace: true })}
        />
      </FilterBar>
      <PagedTable
        caption="Reports"
        pageOf={reportPage(state === 'done')}
        rowKey={(report) => report.id}
        columns={[
          {
            head: 'Report',
            isName: true,
            render: (report) => (
              <span className="flex max-w-96 flex-col">
                <span className="wrap-anywhere">{report.reason}</span>
                <span className="text-sm text-soft wrap-anywhere">
                  {report.emailAddress ?? (report.orderId === null ? 'A visitor' : 'A buyer')}
                  {report.note !== null && `: ${report.note}`}
                </span>
              </span>
            ),
          },
          { head: 'About', render: (report) => <Status kind="warning">{names[report.type]}</Status> },
          {
            head: 'Store',
            render: (report) => (
              <span className="flex flex-col max-sm:items-end">
                <Link to="/staff/stores/$staffStoreId" params={{ staffStoreId: report.storeId }} className={rowLink}>
                  {report.storeName}
                </Link>
                {report.productName !== null && <span className="text-sm text-soft">{report.productName}</span>}
              </span>
            ),
          },
          { head: 'Made', align: 'end', render: (report) => <RelativeTime at={report.dateCreated} /> },
          {
            head: 'Acts',
            isActs: true,
            render: (report) =>
              report.dateResolved === null && (
                <Button
                  shape="quiet"
                  aria-label={`Close the report about ${report.storeName}`}
                  onClick={() => setClosing(report)}
                >
                  Close
                </Button>
              ),
          },
        ]}
        empty={<EmptyState icon={Siren} title="No reports" words="Nobody has complained." />}
      />
      {closing && (
        <ReasonDialog
          title="Close this report?"
          act="Close report"
          label="Note"
          help="What was found and done, for the staff."
          send={(note) => closeReport(closing.id, note)}
          done="Report closed"
          onClose={() => setClosing(undefined)}
        />
      )}
    </Page>
  )
}
