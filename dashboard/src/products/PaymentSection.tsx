import { paymentMethodIds, paymentMethods } from '@keystall/contract/payment-methods'
import { Section } from '../ui/Card.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { FieldError } from '../ui/Field.tsx'
import { NumberInput } from '../ui/MoneyInput.tsx'
import type { ProductFormState } from './ProductFields.tsx'

/** What an order that owes nothing is paid with is nobody's choice. */
const shownIds = paymentMethodIds.filter((id) => id !== 'free')

export function PaymentSection({ form }: { form: ProductFormState }) {
  const { blacklistedPaymentGateways: refused, fees } = form.values
  return (
    <Section
      title="Payment"
      words="Which methods can pay for this product, and a fee in percent that the buyer pays for using one."
    >
      <ul aria-label="Payment methods" className="-my-2 flex flex-col">
        {shownIds.map((id) => {
          const isTaken = !refused.includes(id)
          return (
            <li
              key={id}
              className="flex min-h-12 items-center justify-between gap-4 border-line py-1.5 not-last:border-b"
            >
              <Checkbox
                label={paymentMethods[id]}
                checked={isTaken}
                onChange={(event) =>
                  form.set(
                    'blacklistedPaymentGateways',
                    event.target.checked ? refused.filter((each) => each !== id) : [...refused, id],
                  )
                }
              />
              <NumberInput
                unit="%"
                aria-label={`Fee for ${paymentMethods[id]}`}
                placeholder="No fee"
                className="w-32"
                disabled={!isTaken}
                value={fees[id] ?? ''}
                onChange={(event) => form.set('fees', { ...fees, [id]: event.target.value })}
              />
            </li>
          )
        })}
      </ul>
      <FieldError error={form.errorOf('fees') ?? form.errorOf('blacklistedPaymentGateways')} />
    </Section>
  )
}
