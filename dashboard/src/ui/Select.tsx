import { ChevronDown } from 'lucide-react'
import { useField } from './Field.tsx'
import { inputClass } from './TextInput.tsx'

/** The native list: on a phone it is the system's own wheel. */
export function Select<Value extends string>({
  value,
  options,
  onChange,
}: {
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <div className="relative">
      <select
        {...useField()}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
        className={`${inputClass} appearance-none pr-9`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-soft"
      />
    </div>
  )
}
