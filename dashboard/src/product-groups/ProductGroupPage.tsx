import { ProductGroupForm } from '@keystall/contract/endpoints/product-groups'
import type { ProductGroup } from '@keystall/contract/shapes/product-group'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SearchX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { Members } from './Members.tsx'
import { deleteGroup, groupsQuery, renameGroup } from './product-groups.ts'

export function ProductGroupPage() {
  const store = useCurrentStore()
  const { groupId } = useParams({ from: '/workbench/stores/$storeId/product-groups/$groupId' })
  const groups = useQuery(groupsQuery(store.id))
  const group = groups.data?.find(({ id }) => id === groupId)
  const mayDelete = useMay('DeleteProducts')
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Page
      title={group?.name ?? 'Group'}
      back={{ to: '/stores/$storeId/product-groups', params: { storeId: store.id }, label: 'Groups' }}
      act={
        group &&
        mayDelete && (
          <Button shape="dangerQuiet" onClick={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            Delete group
          </Button>
        )
      }
    >
      {groups.isPending ? (
        <SkeletonForm />
      ) : groups.isError ? (
        <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />
      ) : group === undefined ? (
        <EmptyState icon={SearchX} title="No such group" words="It may have been deleted meanwhile." />
      ) : (
        <div className="flex flex-col gap-10">
          <NameSection key={group.id} storeId={store.id} group={group} />
          <Members storeId={store.id} group={group} />
        </div>
      )}
      {isDeleting && group && <DeleteDialog storeId={store.id} group={group} onClose={() => setIsDeleting(false)} />}
    </Page>
  )
}

function NameSection({ storeId, group }: { storeId: string; group: ProductGroup }) {
  const mayUpdate = useMay('UpdateProducts')
  const form = useForm({
    initial: { name: group.name },
    send: (values) => renameGroup({ storeId, groupId: group.id }, values),
    onSent: () => toast('Group saved'),
  })
  return (
    <Section title="Name" words="Shown where the names of its products would be.">
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-6">
        <fieldset disabled={!mayUpdate} className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <Field label="Name" error={form.errorOf('name')}>
            <TextInput autoComplete="off" {...limits(ProductGroupForm.properties.name)} {...form.text('name')} />
          </Field>
        </fieldset>
        <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
      </form>
    </Section>
  )
}

function DeleteDialog({ storeId, group, onClose }: { storeId: string; group: ProductGroup; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteGroup({ storeId, groupId: group.id }),
    onSuccess: () => {
      toast(`${group.name} deleted`)
      void navigate({ to: '/stores/$storeId/product-groups', params: { storeId } })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${group.name}?`}
      act="Delete group"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      The name and its page in the store go. {inWords(group.products.length)} in the store, each by itself.
    </ConfirmDialog>
  )
}

function inWords(products: number) {
  return products === 1 ? 'Its product stays' : `Its ${products.toLocaleString()} products stay`
}
