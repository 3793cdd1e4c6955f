import type { ReactNode } from 'react'
import { OptionWords } from './Checkbox.tsx'

export interface RadioOption<Value extends string> {
  value: Value
  label: ReactNode
  help?: ReactNode
}

/** Inside a FieldGroup, which names it. */
export function RadioGroup<Value extends string>({
  name,
  value,
  options,
  onChange,
}: {
  name: string
  value: Value
  options: readonly RadioOption<Value>[]
  onChange: (value: Value) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      {options.map((option) => (
        <label key={option.value} className="flex items-start gap-2.5 pointer-coarse:py-1">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-control bg-surface transition-[border-width] checked:border-5 checked:border-accent"
          />
          <OptionWords label={option.label} help={option.help} />
        </label>
      ))}
    </div>
  )
}
