import { ReviewReplyForm } from '@keystall/contract/endpoints/reviews'
import type { SellerReview } from '@keystall/contract/shapes/review'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { replyToReview } from './reviews.ts'

export function ReplyForm({ review, onClose }: { review: SellerReview; onClose: () => void }) {
  const store = useCurrentStore()
  const form = useForm({
    initial: { reply: review.reply ?? '' },
    send: ({ reply }) => replyToReview(store.id, review.id, reply),
    onSent: () => {
      toast('Reply saved')
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-col gap-3">
      <FormFailure failure={form.failure} />
      <Field label="Your reply" error={form.errorOf('reply')} help="Everybody who sees the review sees it.">
        <TextArea
          // The button that led here is gone; this is where its person goes on.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          {...limits(ReviewReplyForm.properties.reply)}
          {...form.text('reply')}
        />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" shape="primary" isBusy={form.isBusy} disabled={form.values.reply.trim() === ''}>
          Save reply
        </Button>
        <Button shape="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
