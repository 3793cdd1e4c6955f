import { type CannedReply, CannedReply as CannedReplyShape } from '@keystall/contract/shapes/ticket'
import { useQuery } from '@tanstack/react-query'
import { MessageSquareText, Plus, Trash2 } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { TextArea, TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { cannedRepliesQuery, saveCannedReplies } from './tickets.ts'

const repliesMax = 100

export function CannedRepliesPage() {
  const store = useCurrentStore()
  const replies = useQuery(cannedRepliesQuery(store.id))
  return (
    <Page
      title="Canned replies"
      words="Replies kept ready for the questions that come again and again."
      back={{ to: '/stores/$storeId/tickets', params: { storeId: store.id }, label: 'Tickets' }}
    >
      {replies.isPending ? (
        <SkeletonForm />
      ) : replies.isError ? (
        <ErrorState error={replies.error} onRetry={() => void replies.refetch()} />
      ) : (
        <Editor replies={replies.data} />
      )}
    </Page>
  )
}

function Editor({ replies }: { replies: CannedReply[] }) {
  const store = useCurrentStore()
  const form = useForm({
    initial: { replies },
    send: (values) => saveCannedReplies(store.id, values.replies),
    onSent: () => toast('Canned replies saved'),
  })
  const kept = form.values.replies
  const set = (next: CannedReply[]) => form.set('replies', next)
  const change = (place: number, part: Partial<CannedReply>) =>
    set(kept.map((reply, index) => (index === place ? { ...reply, ...part } : reply)))
  const add = (
    <Button
      shape={kept.length === 0 ? 'primary' : 'secondary'}
      disabled={kept.length >= repliesMax}
      onClick={() => set([...kept, { title: '', message: '' }])}
    >
      <Plus aria-hidden />
      Add reply
    </Button>
  )
  return (
    <form onSubmit={form.submit} noValidate className="flex max-w-2xl flex-col gap-4">
      <FormFailure failure={form.failure} />
      {form.errorOf('replies') !== undefined && (
        <FormFailure
          failure={`A title or message ${form.errorOf('replies')}. Each reply needs both, and its own title.`}
        />
      )}
      {kept.length === 0 && (
        <EmptyState
          icon={MessageSquareText}
          title="No replies yet"
          words="Write an answer once; in a ticket it is two clicks away."
          act={add}
        />
      )}
      {kept.map((reply, place) => (
        // The place is the only name that a reply has while its title is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <Card key={place} className="flex flex-col gap-4 p-4 sm:p-6">
          <Field
            label="Title"
            aside={
              <Button
                shape="dangerQuiet"
                aria-label={`Remove the reply ${reply.title || place + 1}`}
                onClick={() => set(kept.filter((_, index) => index !== place))}
              >
                <Trash2 aria-hidden />
                Remove
              </Button>
            }
          >
            <TextInput
              value={reply.title}
              onChange={(event) => change(place, { title: event.target.value })}
              {...limits(CannedReplyShape.properties.title)}
            />
          </Field>
          <Field label="Message">
            <TextArea
              rows={4}
              value={reply.message}
              onChange={(event) => change(place, { message: event.target.value })}
              {...limits(CannedReplyShape.properties.message)}
            />
          </Field>
        </Card>
      ))}
      {kept.length > 0 && <div className="flex">{add}</div>}
      <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
    </form>
  )
}
