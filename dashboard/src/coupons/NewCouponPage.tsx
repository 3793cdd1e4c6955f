import { useNavigate } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { FormFailure, useForm } from '../ui/form.tsx'
import { Page } from '../ui/Page.tsx'
import { toast } from '../ui/Toast.tsx'
import { CouponFields } from './CouponFields.tsx'
import { formOf, newCoupon } from './coupon-form.ts'
import { createCoupon } from './coupons.ts'

export function NewCouponPage() {
  const store = useCurrentStore()
  const navigate = useNavigate()
  const form = useForm({
    initial: newCoupon,
    send: (values) => createCoupon(store.id, formOf(values)),
    onSent: (coupon) => {
      toast(`${coupon.name} created`)
      void navigate({ to: '/stores/$storeId/coupons', params: { storeId: store.id } })
    },
  })
  return (
    <Page
      title="Create a coupon"
      back={{ to: '/stores/$storeId/coupons', params: { storeId: store.id }, label: 'Coupons' }}
    >
      <form onSubmit={form.submit} noValidate className="flex max-w-2xl flex-col gap-6">
        <Card className="flex flex-col gap-6 p-4 sm:p-6">
          <FormFailure failure={form.failure} />
          <CouponFields form={form} />
        </Card>
        <div className="flex">
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            Create coupon
          </Button>
        </div>
      </form>
    </Page>
  )
}
