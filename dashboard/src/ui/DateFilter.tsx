import { CalendarDays, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { chipClass } from './Filters.tsx'
import { useFloating } from './floating.ts'
import { TextInput } from './TextInput.tsx'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** A span of days, both included; either may be open. */
export function DateFilter({
  from,
  to,
  onChange,
}: {
  from: string | undefined
  to: string | undefined
  onChange: (from: string | undefined, to: string | undefined) => void
}) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [trigger, panel] = [useRef<HTMLButtonElement>(null), useRef<HTMLDivElement>(null)]
  useFloating(panel, trigger, { isOpen, side: 'bottom' })
  const isSet = from !== undefined || to !== undefined
  return (
    <span className="inline-flex">
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-expanded={isOpen}
        className={chipClass(isSet, 'start')}
      >
        <CalendarDays aria-hidden className="size-4" />
        {isSet ? inWords(from, to) : 'Any day'}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onBeforeToggle={(event) => setIsOpen(event.newState === 'open')}
        className="fixed inset-auto m-0 w-72 animate-appear rounded-card border border-line bg-raised p-4 text-text shadow-float"
      >
        <div className="flex flex-col gap-4">
          <Field label="From">
            <TextInput
              type="date"
              max={to}
              value={from ?? ''}
              onChange={(event) => onChange(event.target.value || undefined, to)}
            />
          </Field>
          <Field label="To">
            <TextInput
              type="date"
              min={from}
              value={to ?? ''}
              onChange={(event) => onChange(from, event.target.value || undefined)}
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            {[7, 30, 90].map((days) => (
              <Button key={days} shape="secondary" onClick={() => onChange(daysAgo(days - 1), daysAgo(0))}>
                {days} days
              </Button>
            ))}
          </div>
        </div>
      </div>
      {isSet && (
        <button
          type="button"
          aria-label="Remove the filter by day"
          onClick={() => onChange(undefined, undefined)}
          className={chipClass(true, 'end')}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </span>
  )
}

function inWords(from: string | undefined, to: string | undefined) {
  const shown = (text: string) => day.format(new Date(`${text}T00:00:00`))
  if (from !== undefined && from === to) return shown(from)
  if (from === undefined) return `Until ${shown(to ?? '')}`
  return to === undefined ? `Since ${shown(from)}` : `${shown(from)} – ${shown(to)}`
}

function daysAgo(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() - days)
  const [month, ofMonth] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${ofMonth}`
}
