import { ChevronDown, Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Menu, MenuItem } from './Menu.tsx'
import { inputClass } from './TextInput.tsx'

const typingPauseMs = 250

/** What narrows a list, kept in the page's address. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="-mb-4 flex flex-wrap items-center gap-2" aria-label="Filters">
      {children}
    </search>
  )
}

/** Tells what was typed after a pause, or at once on Enter. `/` leads here from anywhere on the page. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  /** Also what stands in the empty box. */
  label: string
  value: string | undefined
  onChange: (text: string | undefined) => void
}) {
  const [typed, setTyped] = useState(value ?? '')
  const told = useRef(value ?? '')
  const tell = useRef(onChange)
  useEffect(() => {
    tell.current = onChange
  })
  // The address changed by itself: back, forward, a chip.
  useEffect(() => {
    if ((value ?? '') === told.current) return
    told.current = value ?? ''
    setTyped(value ?? '')
  }, [value])
  useEffect(() => {
    const text = typed.trim()
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      tell.current(text === '' ? undefined : text)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <form
      className="relative w-full sm:w-72"
      onSubmit={(event) => {
        event.preventDefault()
        told.current = typed.trim()
        onChange(typed.trim() === '' ? undefined : typed.trim())
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={`${inputClass} pl-9`}
      />
    </form>
  )
}

const chip =
  'inline-flex h-9 pointer-coarse:h-11 items-center gap-1.5 border font-medium whitespace-nowrap transition-colors'

/** The two parts of a chip: its words, and the cross that takes it off. */
export function chipClass(isSet: boolean, part: 'start' | 'end') {
  if (!isSet)
    return `${chip} rounded-full border-line-control bg-surface px-3 text-soft hover:bg-sunken hover:text-text`
  return part === 'start'
    ? `${chip} rounded-l-full border-r-0 border-accent bg-accent-soft pr-1.5 pl-3 text-accent-text`
    : `${chip} rounded-r-full border-l-0 border-accent bg-accent-soft pr-2.5 pl-1.5 text-accent-text hover:text-text`
}

/** One filter: a list of choices, and once chosen, a chip that can be taken off. */
export function FilterChip<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}) {
  const chosen = options.find((option) => option.value === value)
  return (
    <span className="inline-flex">
      <Menu
        trigger={
          <button type="button" className={chipClass(chosen !== undefined, 'start')}>
            {chosen ? `${label}: ${chosen.label}` : label}
            {!chosen && <ChevronDown aria-hidden className="size-4" />}
          </button>
        }
      >
        {options.map((option) => (
          <MenuItem key={option.value} isChosen={option.value === value} onSelect={() => onChange(option.value)}>
            {option.label}
          </MenuItem>
        ))}
      </Menu>
      {chosen && (
        <button
          type="button"
          aria-label={`Remove the filter ${label}`}
          onClick={() => onChange(undefined)}
          className={chipClass(true, 'end')}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </span>
  )
}
