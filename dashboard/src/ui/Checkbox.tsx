import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

/** A native box, so that forms, keyboards and screen readers know it. */
export function Checkbox({ label, help, ...rest }: ComponentProps<'input'> & { label: ReactNode; help?: ReactNode }) {
  return (
    <label className="flex items-start gap-2.5 pointer-coarse:py-1">
      <span className="relative mt-0.5 grid size-4 shrink-0 place-items-center">
        <input
          type="checkbox"
          {...rest}
          className="peer size-4 appearance-none rounded-[4px] border border-line-control bg-surface transition-colors checked:border-accent checked:bg-accent disabled:opacity-50"
        />
        <Check
          aria-hidden
          strokeWidth={3.5}
          className="pointer-events-none absolute size-3 text-on-accent opacity-0 peer-checked:opacity-100"
        />
      </span>
      <OptionWords label={label} help={help} />
    </label>
  )
}

export function OptionWords({ label, help }: { label: ReactNode; help?: ReactNode }) {
  return (
    <span className="min-w-0">
      <span className="block">{label}</span>
      {help !== undefined && <span className="block text-sm text-soft">{help}</span>}
    </span>
  )
}
