import { X } from 'lucide-react'
import { useField } from './Field.tsx'
import { inputClass } from './TextInput.tsx'

/** The browser's own palette, and the code beside it. An empty text leaves the colour to the theme. */
export function ColourInput({
  name,
  value,
  onChange,
}: {
  /** What is coloured, for screen readers. */
  name: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={`Pick the colour of ${name}`}
        value={sixDigits(value)}
        onChange={(event) => onChange(event.target.value)}
        className={`h-9 w-11 shrink-0 cursor-pointer rounded-control border border-line-control bg-surface p-1 pointer-coarse:h-11 ${value === '' ? 'opacity-40' : ''}`}
      />
      <div className="relative min-w-0 flex-1">
        <input
          type="text"
          {...useField()}
          value={value}
          maxLength={9}
          spellCheck={false}
          autoComplete="off"
          placeholder="From the theme"
          onChange={(event) => onChange(event.target.value.trim())}
          className={`${inputClass} pr-9 font-mono text-sm`}
        />
        {value !== '' && (
          <button
            type="button"
            aria-label={`Leave the colour of ${name} to the theme`}
            onClick={() => onChange('')}
            className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-control text-soft hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </div>
    </div>
  )
}

/** The palette knows no other spelling. */
function sixDigits(hex: string) {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(hex)?.[1]
  if (digits === undefined) return '#888888'
  return digits.length < 6
    ? `#${[...digits.slice(0, 3)].map((digit) => digit + digit).join('')}`
    : `#${digits.slice(0, 6)}`
}
