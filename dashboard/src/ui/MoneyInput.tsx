import type { ComponentProps } from 'react'
import { useField } from './Field.tsx'
import { inputClass } from './TextInput.tsx'

/** A number with its unit beside it: a price with its currency, a percentage, a count. */
export function NumberInput({ unit, className = '', ...rest }: ComponentProps<'input'> & { unit: string }) {
  return (
    <div className={`relative ${className}`}>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        {...useField()}
        {...rest}
        className={`${inputClass} pr-14 text-right tabular-nums`}
      />
      <span aria-hidden className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-soft">
        {unit}
      </span>
    </div>
  )
}

/** What was typed as a number; a comma counts as a point. What is no number is left for the API to name. */
export function numberOf(typed: string): number {
  const text = typed.trim().replace(',', '.')
  return text === '' ? Number.NaN : Number(text)
}
