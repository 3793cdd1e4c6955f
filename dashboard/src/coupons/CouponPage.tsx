import type { CouponDetails } from '@keystall/contract/shapes/coupon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { CouponFields } from './CouponFields.tsx'
import { formOf, valuesOf } from './coupon-form.ts'
import { couponQuery, deleteCoupon, updateCoupon } from './coupons.ts'

export function CouponPage() {
  const store = useCurrentStore()
  const { couponId } = useParams({ from: '/workbench/stores/$storeId/coupons/$couponId' })
  const coupon = useQuery(couponQuery(store.id, couponId))
  const mayDelete = useMay('DeleteCoupons')
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Page
      title={coupon.data?.name ?? 'Coupon'}
      words={coupon.data && usedInWords(coupon.data)}
      back={{ to: '/stores/$storeId/coupons', params: { storeId: store.id }, label: 'Coupons' }}
      act={
        coupon.data &&
        mayDelete && (
          <Button shape="dangerQuiet" onClick={() => setIsDeleting(true)}>
            <Trash2 aria-hidden />
            Delete coupon
          </Button>
        )
      }
    >
      {coupon.isPending ? (
        <SkeletonForm fields={4} />
      ) : coupon.isError ? (
        <ErrorState error={coupon.error} onRetry={() => void coupon.refetch()} />
      ) : (
        <CouponEditor key={coupon.data.id} coupon={coupon.data} />
      )}
      {isDeleting && coupon.data && <DeleteDialog coupon={coupon.data} onClose={() => setIsDeleting(false)} />}
    </Page>
  )
}

function CouponEditor({ coupon }: { coupon: CouponDetails }) {
  const store = useCurrentStore()
  const mayUpdate = useMay('UpdateCoupons')
  const form = useForm({
    initial: valuesOf(coupon),
    send: (values) => updateCoupon(store.id, coupon.id, formOf(values)),
    onSent: () => toast('Coupon saved'),
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex max-w-2xl flex-col gap-6">
      <Card className="p-4 sm:p-6">
        <fieldset disabled={!mayUpdate} className="flex flex-col gap-6">
          <FormFailure failure={form.failure} />
          <CouponFields form={form} />
        </fieldset>
      </Card>
      <SaveBar isDirty={form.isDirty} isBusy={form.isBusy} onRevert={() => form.revert()} />
    </form>
  )
}

function DeleteDialog({ coupon, onClose }: { coupon: CouponDetails; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteCoupon(coupon.storeId, coupon.id),
    onSuccess: () => {
      toast(`${coupon.name} deleted`)
      void navigate({ to: '/stores/$storeId/coupons', params: { storeId: coupon.storeId } })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${coupon.name}?`}
      act="Delete coupon"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      The code stops working at once and its count of {coupon.uses.toLocaleString()} uses is lost. Orders that used it
      keep their price. To pause it instead, switch Enabled off.
    </ConfirmDialog>
  )
}

function usedInWords({ uses }: CouponDetails) {
  if (uses === 0) return 'Not used yet.'
  return uses === 1 ? 'Used once.' : `Used ${uses.toLocaleString()} times.`
}
