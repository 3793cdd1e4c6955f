/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a combobox as ARIA describes it: the keyboard stays in the field, rows and backdrop are for the pointer */
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useRights } from '../stores/rights.ts'
import { useSections } from '../workbench/use-sections.ts'
import { useCommands } from './commands.ts'
import { type Entry, matches } from './entry.ts'
import { useFound } from './found.ts'

/** Everything is a few letters away: pages, acts, products, orders, customers. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const router = useRouter()
  const may = useRights()
  const { storeId } = useSections()
  const commands = useCommands()
  const found = useFound(storeId, useDeferredValue(typed), may)
  const entries = [...(typed.trim() === '' ? commands : commands.filter((entry) => matches(entry, typed))), ...found]
  const listId = useId()
  const current = Math.min(chosen, entries.length - 1)

  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])

  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, current])

  function take(entry: Entry | undefined) {
    if (!entry) return
    onClose()
    entry.run?.()
    if (entry.path !== undefined) router.history.push(entry.path)
  }

  function onKey(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) setChosen((current + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(entries[current])
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      aria-label="Search and act"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className="mx-auto mt-[12vh] mb-auto w-[calc(100%-32px)] max-w-xl animate-rise overflow-hidden rounded-card border border-line bg-raised text-text shadow-float backdrop:bg-scrim max-sm:mt-4"
    >
      <div className="flex max-h-[70vh] flex-col">
        <div className="relative border-b border-line">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-4 size-4 -translate-y-1/2 text-soft"
          />
          <input
            type="text"
            role="combobox"
            aria-label="Search pages, acts, products, orders and customers"
            aria-expanded={entries.length > 0}
            aria-controls={listId}
            aria-activedescendant={entries.length > 0 ? `${listId}-${current}` : undefined}
            aria-autocomplete="list"
            placeholder="Search or act"
            autoComplete="off"
            spellCheck={false}
            maxLength={254}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setChosen(0)
            }}
            onKeyDown={onKey}
            className="h-12 w-full bg-transparent pr-4 pl-11 text-lg outline-none placeholder:text-soft"
          />
        </div>
        <div id={listId} role="listbox" aria-label="Results" className="overflow-y-auto p-1.5">
          {entries.map((entry, place) => (
            <div key={entry.id} role="presentation">
              {entries[place - 1]?.group !== entry.group && (
                <div role="presentation" className="px-2.5 pt-2 pb-1 text-xs font-medium text-soft">
                  {entry.group}
                </div>
              )}
              <div
                id={`${listId}-${place}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === current}
                onPointerMove={() => setChosen(place)}
                onClick={() => take(entry)}
                className="flex h-10 cursor-pointer items-center gap-3 rounded-control px-2.5 aria-selected:bg-sunken pointer-coarse:h-12"
              >
                <entry.icon aria-hidden className="size-4 shrink-0 text-soft" />
                <span className="min-w-0 flex-1 truncate">{entry.label}</span>
                {entry.hint !== undefined && <span className="shrink-0 text-sm text-soft">{entry.hint}</span>}
              </div>
            </div>
          ))}
        </div>
        {entries.length === 0 && (
          <p className="px-4 py-8 text-center text-soft">
            Nothing is called that. An order is found by its whole ID or the beginning of an e-mail address.
          </p>
        )}
      </div>
    </dialog>
  )
}
