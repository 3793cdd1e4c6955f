import type { StaffFlag } from '@keystall/contract/shapes/review'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, FilterChip } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { decide, flagPage } from './staff.ts'

export function StaffFlagsPage() {
  const { state } = useSearch({ from: '/workbench/staff/flagged-reviews' })
  const navigate = useNavigate({ from: '/staff/flagged-reviews' })
  const [deciding, setDeciding] = useState<{ flag: StaffFlag; approved: boolean }>()
  return (
    <Page title="Flagged reviews" words="Sellers ask for these to be removed. What you decide stays decided.">
      <FilterBar>
        <FilterChip
          label="State"
          value={state}
          options={[{ value: 'done', label: 'decided' }]}
          onChange={(value) => void navigate({ search: value ? { state: value } : {}, replace: true })}
        />
      </FilterBar>
      <PagedTable
        caption="Flagged reviews"
        pageOf={flagPage(state === 'done')}
        rowKey={(flag) => flag.id}
        columns={[
          {
            head: 'Review',
            isName: true,
            render: ({ review, productName, storeName }) => (
              <span className="flex max-w-96 flex-col">
                <span className="wrap-anywhere">
                  <span className="font-medium">{review.rating} of 5</span> {review.reason}
                </span>
                <span className="text-sm text-soft wrap-anywhere">
                  {productName}, {storeName}
                </span>
              </span>
            ),
          },
          { head: 'Seller says', render: (flag) => <span className="wrap-anywhere">{flag.reason}</span> },
          { head: 'Flagged', align: 'end', render: (flag) => <RelativeTime at={flag.dateCreated} /> },
          {
            head: 'Acts',
            isActs: true,
            render: (flag) =>
              flag.approved === null ? (
                <span className="inline-flex flex-wrap justify-end gap-1">
                  <Button
                    shape="quiet"
                    aria-label={`Keep the review of ${flag.productName}`}
                    onClick={() => setDeciding({ flag, approved: false })}
                  >
                    Keep
                  </Button>
                  <Button
                    shape="dangerQuiet"
                    aria-label={`Remove the review of ${flag.productName}`}
                    onClick={() => setDeciding({ flag, approved: true })}
                  >
                    Remove
                  </Button>
                </span>
              ) : (
                <Status kind={flag.approved ? 'danger' : 'success'}>{flag.approved ? 'Removed' : 'Kept'}</Status>
              ),
          },
        ]}
        empty={<EmptyState icon={Flag} title="Nothing to decide" words="No flag waits." />}
      />
      {deciding && (
        <ReasonDialog
          title={deciding.approved ? 'Remove this review?' : 'Keep this review?'}
          act={deciding.approved ? 'Remove review' : 'Keep review'}
          label="Note"
          help="Words to the seller."
          isDangerous={deciding.approved}
          send={(note) =>
            decide(deciding.flag.id, { approved: deciding.approved, administratorNote: note === '' ? null : note })
          }
          done="Decision made"
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Page>
  )
}
