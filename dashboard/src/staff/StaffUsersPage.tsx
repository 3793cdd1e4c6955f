import type { StaffUser } from '@keystall/contract/shapes/staff'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, SearchBox } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { setDisabled, userPage } from './staff.ts'

export function StaffUsersPage() {
  const { query } = useSearch({ from: '/workbench/staff/users' })
  const navigate = useNavigate({ from: '/staff/users' })
  const [changing, setChanging] = useState<StaffUser>()
  const isOff = changing?.dateDisabled !== null
  return (
    <Page title="All accounts">
      <FilterBar>
        <SearchBox
          label="Name or e-mail address"
          value={query}
          onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
        />
      </FilterBar>
      <PagedTable
        caption="All accounts"
        pageOf={userPage(query)}
        rowKey={(user) => user.id}
        columns={[
          {
            head: 'Account',
            isName: true,
            render: (user) => (
              <span className="flex flex-col">
                <span className="font-medium">{user.userName}</span>
                <span className="text-sm text-soft wrap-anywhere">{user.emailAddress}</span>
              </span>
            ),
          },
          {
            head: 'Stores',
            render: (user) => (
              <span className="wrap-anywhere">{user.stores.map(({ name }) => name).join(', ') || 'None'}</span>
            ),
          },
          {
            head: 'State',
            render: (user) => (
              <span className="flex flex-wrap gap-1.5 max-sm:justify-end">
                {user.isStaff && <Status kind="information">Staff</Status>}
                {!user.isConfirmed && <Status kind="warning">Unconfirmed</Status>}
                <span title={user.disabledReason ?? ''}>
                  <Status kind={user.dateDisabled === null ? 'neutral' : 'danger'}>
                    {user.dateDisabled === null ? 'On' : 'Off'}
                  </Status>
                </span>
              </span>
            ),
          },
          { head: 'Registered', align: 'end', render: (user) => <RelativeTime at={user.dateCreated} /> },
          {
            head: 'Acts',
            isActs: true,
            render: (user) =>
              !user.isStaff && (
                <Button
                  shape={user.dateDisabled === null ? 'dangerQuiet' : 'quiet'}
                  aria-label={`Switch ${user.dateDisabled === null ? 'off' : 'on'}: ${user.userName}`}
                  onClick={() => setChanging(user)}
                >
                  {user.dateDisabled === null ? 'Switch off' : 'Switch on'}
                </Button>
              ),
          },
        ]}
        empty={<EmptyState icon={Users} title="Nobody" words="No account has this name or address." />}
      />
      {changing && (
        <ReasonDialog
          title={`Switch ${changing.userName} ${isOff ? 'on' : 'off'}?`}
          act={isOff ? 'Switch account on' : 'Switch account off'}
          isDangerous={!isOff}
          send={(reason) => setDisabled(changing.id, !isOff, reason)}
          done={isOff ? 'Account on' : 'Account off'}
          onClose={() => setChanging(undefined)}
        >
          {!isOff && (
            <p className="text-soft">
              Sessions and keys stop at once, the stores are closed to everybody, and signing in is refused.
            </p>
          )}
        </ReasonDialog>
      )}
    </Page>
  )
}
