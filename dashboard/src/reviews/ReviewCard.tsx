import type { SellerReview } from '@keystall/contract/shapes/review'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Flag, MessageSquareReply } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import { FlagDialog } from './FlagDialog.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { replyToReview } from './reviews.ts'
import { Stars } from './Stars.tsx'

export function ReviewCard({ review }: { review: SellerReview }) {
  const store = useCurrentStore()
  const [mayReply, mayFlag, mayOpen] = [useMay('UpdateReviews'), useMay('FlagReviews'), useMay('ViewOrders')]
  const [isReplying, setIsReplying] = useState(false)
  const [isFlagging, setIsFlagging] = useState(false)
  const isWaiting = review.flag !== null && review.flag.dateDecided === null
  return (
    <Card className="flex flex-col gap-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Stars rating={review.rating} />
          <span className="font-medium wrap-anywhere">{review.productName}</span>
          <FlagState review={review} />
        </span>
        <span className="text-sm text-soft">
          <RelativeTime at={review.dateCreated} />
        </span>
      </div>
      {review.reason === '' ? (
        <p className="text-soft">No words, only the rating.</p>
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{review.reason}</p>
      )}
      {review.flag && <FlagWords flag={review.flag} />}
      {isReplying ? (
        <ReplyForm review={review} onClose={() => setIsReplying(false)} />
      ) : (
        review.reply !== null && (
          <div className="rounded-control bg-sunken px-4 py-3">
            <span className="text-sm font-medium">Your reply</span>
            <p className="whitespace-pre-wrap wrap-anywhere">{review.reply}</p>
          </div>
        )
      )}
      {!isReplying && !review.isRemoved && (
        <div className="-mb-1 -ml-3.5 flex flex-wrap items-center gap-1">
          {mayReply && (
            <Button shape="quiet" onClick={() => setIsReplying(true)}>
              <MessageSquareReply aria-hidden />
              {review.reply === null ? 'Reply' : 'Edit reply'}
            </Button>
          )}
          {mayReply && review.reply !== null && <RemoveReply review={review} />}
          {mayFlag && !isWaiting && (
            <Button shape="quiet" onClick={() => setIsFlagging(true)}>
              <Flag aria-hidden />
              Flag for removal
            </Button>
          )}
          {mayOpen && (
            <Link
              to="/stores/$storeId/orders/$orderId"
              params={{ storeId: store.id, orderId: review.orderId }}
              className="ml-auto rounded-control px-2 text-sm font-medium text-soft hover:text-text hover:underline"
            >
              Open the order
            </Link>
          )}
        </div>
      )}
      {isFlagging && <FlagDialog review={review} onClose={() => setIsFlagging(false)} />}
    </Card>
  )
}

/** Taken away at once; the words can be put back. */
function RemoveReply({ review }: { review: SellerReview }) {
  const store = useCurrentStore()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => replyToReview(store.id, review.id, ''),
    onSuccess: () =>
      toast('Reply removed', {
        label: 'Undo',
        onAct: () =>
          void replyToReview(store.id, review.id, review.reply ?? '').catch((failure: unknown) =>
            toast(`Not brought back: ${failureOf(failure).message}`),
          ),
      }),
  })
  return (
    <>
      <Button shape="quiet" isBusy={isPending} onClick={() => mutate()}>
        Remove reply
      </Button>
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
    </>
  )
}

function FlagState({ review }: { review: SellerReview }) {
  if (!review.flag) return null
  if (review.flag.dateDecided === null) return <Status kind="warning">Flagged, waits for a decision</Status>
  return review.flag.approved ? (
    <Status kind="neutral">Removed by staff</Status>
  ) : (
    <Status kind="information">Flag declined</Status>
  )
}

function FlagWords({ flag }: { flag: NonNullable<SellerReview['flag']> }) {
  return (
    <div className="border-l-2 border-line-control pl-3 text-sm text-soft">
      <p className="wrap-anywhere">Flagged: {flag.reason}</p>
      {flag.administratorNote !== null && <p className="wrap-anywhere">Staff: {flag.administratorNote}</p>}
    </div>
  )
}
