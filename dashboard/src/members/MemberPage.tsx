import { memberWords } from '@keystall/contract/scopes'
import type { Member } from '@keystall/contract/shapes/member'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { NotFoundPage } from '../ui/NotFoundPage.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { ScopePicker } from '../ui/ScopePicker.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { membersQuery, updateMember } from './members.ts'
import { useOfferedScopes } from './offered-scopes.ts'

export function MemberPage() {
  const store = useCurrentStore()
  const { memberId } = useParams({ from: '/workbench/stores/$storeId/members/$memberId' })
  const members = useQuery(membersQuery(store.id))
  const member = members.data?.members.find(({ id, isOwner }) => id === memberId && !isOwner)
  if (members.data && !member) return <NotFoundPage />
  return (
    <Page
      title={member?.userName ?? 'Member'}
      words={member?.emailAddress}
      back={{ to: '/stores/$storeId/members', params: { storeId: store.id }, label: 'Members' }}
    >
      {members.isError ? (
        <ErrorState error={members.error} onRetry={() => void members.refetch()} />
      ) : member ? (
        <ScopesForm key={member.id} member={member} />
      ) : (
        <SkeletonForm />
      )}
    </Page>
  )
}

function ScopesForm({ member }: { member: Member }) {
  const store = useCurrentStore()
  const offered = useOfferedScopes()
  const form = useForm({
    initial: { scopes: member.scopes },
    send: (values) => updateMember(store.id, member.id, values),
    onSent: () => toast('Member saved'),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
      <Card className="flex max-w-2xl flex-col gap-6 p-4 sm:p-6">
        <FormFailure failure={form.failure} />
        <ScopePicker
          label="May do"
          help="In this store, from the next click on."
          offered={offered}
          wordsOf={memberWords}
          value={form.values.scopes}
          onChange={(scopes) => form.set('scopes', scopes)}
          error={form.errorOf('scopes')}
        />
      </Card>
      <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
    </form>
  )
}
