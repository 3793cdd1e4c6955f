import type { Invitation, Member } from '@keystall/contract/shapes/member'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { accountQuery } from '../account/account.ts'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { rowLink, Table } from '../ui/Table.tsx'
import { toast } from '../ui/Toast.tsx'
import { membersQuery, removeMember, resendInvitation, withdrawInvitation } from './members.ts'

export function MembersPage() {
  const store = useCurrentStore()
  const members = useQuery(membersQuery(store.id))
  const [removing, setRemoving] = useState<Member>()
  return (
    <Page
      title="Members"
      words="Who works in this store, and what they may do."
      act={
        <Link to="/stores/$storeId/members/invite" params={{ storeId: store.id }} className={buttonClass('primary')}>
          <UserPlus aria-hidden />
          Invite somebody
        </Link>
      }
    >
      {members.isPending ? (
        <SkeletonRows />
      ) : members.isError ? (
        <ErrorState error={members.error} onRetry={() => void members.refetch()} />
      ) : (
        <>
          <MemberTable members={members.data.members} onRemove={setRemoving} />
          {members.data.invitations.length > 0 && (
            <Panel title="Invitations">
              <InvitationTable invitations={members.data.invitations} />
            </Panel>
          )}
        </>
      )}
      {removing && <RemoveDialog member={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

function MemberTable({ members, onRemove }: { members: readonly Member[]; onRemove: (member: Member) => void }) {
  const store = useCurrentStore()
  const { data: account } = useSuspenseQuery(accountQuery)
  /** Who may do more is the owner's to change. */
  const isBelow = (member: Member) => !member.isOwner && member.scopes.every((scope) => store.scopes.includes(scope))
  return (
    <Table
      caption="Members"
      rows={members}
      rowKey={(member) => member.id}
      columns={[
        {
          head: 'Name',
          isName: true,
          render: (member) => (
            <span className="flex flex-col">
              {isBelow(member) ? (
                <Link
                  to="/stores/$storeId/members/$memberId"
                  params={{ storeId: store.id, memberId: member.id }}
                  className={rowLink}
                >
                  {member.userName}
                </Link>
              ) : (
                <span className="font-medium">{member.userName}</span>
              )}
              <span className="text-sm text-soft wrap-anywhere">{member.emailAddress}</span>
            </span>
          ),
        },
        { head: 'May do', render: (member) => (member.isOwner ? 'Everything' : thingsOf(member.scopes)) },
        {
          head: 'Role',
          render: (member) => (
            <span className="flex gap-2">
              <Status kind={member.isOwner ? 'success' : 'neutral'}>{member.isOwner ? 'Owner' : 'Member'}</Status>
              {member.id === account.id && <Status kind="information">You</Status>}
            </span>
          ),
        },
        { head: 'Since', align: 'end', render: (member) => <RelativeTime at={member.dateCreated} /> },
        {
          head: 'Acts',
          isActs: true,
          render: (member) =>
            isBelow(member) &&
            member.id !== account.id && (
              <Button shape="dangerQuiet" aria-label={`Remove ${member.userName}`} onClick={() => onRemove(member)}>
                Remove
              </Button>
            ),
        },
      ]}
    />
  )
}

function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const store = useCurrentStore()
  const told = { onError: (error: Error) => toast(failureOf(error).message) }
  const resend = useMutation({
    mutationFn: ({ id }: Invitation) => resendInvitation(store.id, id),
    onSuccess: () => toast('Invitation sent again'),
    ...told,
  })
  const withdraw = useMutation({
    mutationFn: ({ id }: Invitation) => withdrawInvitation(store.id, id),
    onSuccess: () => toast('Invitation withdrawn'),
    ...told,
  })
  return (
    <Table
      caption="Invitations"
      rows={invitations}
      rowKey={(invitation) => invitation.id}
      columns={[
        {
          head: 'E-mail',
          isName: true,
          render: (invitation) => <span className="font-medium wrap-anywhere">{invitation.emailAddress}</span>,
        },
        { head: 'May do', render: (invitation) => thingsOf(invitation.scopes) },
        { head: 'Invited by', render: (invitation) => invitation.invitedBy },
        {
          head: 'Link',
          render: (invitation) =>
            invitation.isExpired ? (
              <Status kind="warning">Ended</Status>
            ) : (
              <span>
                ends <RelativeTime at={invitation.expiresAt} />
              </span>
            ),
        },
        {
          head: 'Acts',
          isActs: true,
          render: (invitation) => (
            <span className="inline-flex flex-wrap justify-end gap-1">
              <Button
                shape="quiet"
                aria-label={`Send again to ${invitation.emailAddress}`}
                isBusy={resend.isPending && resend.variables.id === invitation.id}
                onClick={() => resend.mutate(invitation)}
              >
                Send again
              </Button>
              <Button
                shape="dangerQuiet"
                aria-label={`Withdraw the invitation to ${invitation.emailAddress}`}
                isBusy={withdraw.isPending && withdraw.variables.id === invitation.id}
                onClick={() => withdraw.mutate(invitation)}
              >
                Withdraw
              </Button>
            </span>
          ),
        },
      ]}
    />
  )
}

function thingsOf(scopes: readonly string[]) {
  return (
    <span title={scopes.join('\n')} className="whitespace-nowrap">
      {scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`}
    </span>
  )
}

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const store = useCurrentStore()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeMember(store.id, member.id),
    onSuccess: () => {
      toast(`${member.userName} is removed`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${member.userName}?`}
      act="Remove member"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Their sessions and keys lose this store at once. What they did stays in the audit log.
    </ConfirmDialog>
  )
}
