import { CircleCheck } from 'lucide-react'
import { useSyncExternalStore } from 'react'

interface Toast {
  id: number
  words: string
  act: ToastAct | undefined
}

interface ToastAct {
  label: string
  onAct: () => void
}

const shownMilliseconds = 5000
/** Who may take something back needs time to see that it went. */
const shownWithActMilliseconds = 12_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** What has just been done, for a few seconds, and how to take it back. Failures are shown where they happened. */
export function toast(words: string, act?: ToastAct) {
  const id = ++lastId
  change([...toasts.slice(-2), { id, words, act }])
  setTimeout(() => close(id), act ? shownWithActMilliseconds : shownMilliseconds)
}

function close(id: number) {
  change(toasts.filter((shown) => shown.id !== id))
}

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <output
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center gap-2 md:inset-x-auto md:right-6 md:bottom-6 md:items-end"
    >
      {shown.map(({ id, words, act }) => (
        <div
          key={id}
          className="flex animate-rise items-center gap-2.5 rounded-card border border-line bg-raised px-4 py-3 font-medium shadow-float"
        >
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          {words}
          {act && (
            <button
              type="button"
              onClick={() => {
                close(id)
                act.onAct()
              }}
              className="pointer-events-auto -my-1 -mr-1.5 rounded-control px-2 py-1 text-accent-text hover:bg-sunken"
            >
              {act.label}
            </button>
          )}
        </div>
      ))}
    </output>
  )
}
