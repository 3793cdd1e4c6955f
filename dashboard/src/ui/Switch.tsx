import type { ReactNode } from 'react'
import { OptionWords } from './Checkbox.tsx'

/** On or off, said as a sentence. A native box underneath, so that forms, keyboards and screen readers know it. */
export function Switch({
  label,
  help,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: ReactNode
  help?: ReactNode
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label className="flex items-start justify-between gap-4 pointer-coarse:py-1">
      <OptionWords label={label} help={help} />
      <span className="relative mt-0.5 h-5 w-9 shrink-0">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer absolute inset-0 size-full appearance-none rounded-full border border-line-control bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-50"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-3 rounded-full bg-line-control transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent"
        />
      </span>
    </label>
  )
}
