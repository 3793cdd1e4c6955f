import { FlagForm } from '@keystall/contract/endpoints/reviews'
import type { SellerReview } from '@keystall/contract/shapes/review'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { flagReview } from './reviews.ts'

export function FlagDialog({ review, onClose }: { review: SellerReview; onClose: () => void }) {
  const store = useCurrentStore()
  const form = useForm({
    initial: { reason: '' },
    send: ({ reason }) => flagReview(store.id, review.id, reason),
    onSent: () => {
      toast('Review flagged')
      onClose()
    },
  })
  return (
    <Dialog title="Flag this review" onClose={onClose}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-5">
        <p className="text-soft">
          The platform's staff read your reason and decide. Until then the review stays public.
        </p>
        <FormFailure failure={form.failure} />
        <Field label="Why should it be removed?" error={form.errorOf('reason')}>
          <TextArea {...limits(FlagForm.properties.reason)} {...form.text('reason')} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Flag review
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
