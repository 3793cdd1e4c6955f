import { Check } from 'lucide-react'
import {
  cloneElement,
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useFloating } from './floating.ts'

const CloseContext = createContext<() => void>(() => undefined)

/**
 * The browser's own popover: it closes on Escape and on a click elsewhere, stands above everything, and gives focus back.
 * What it does not know are the keys of a menu.
 */
export function Menu({
  trigger,
  side = 'bottom',
  onClosed,
  children,
}: {
  trigger: ReactElement<ComponentProps<'button'>>
  side?: 'top' | 'bottom'
  /** Focus has gone back to the trigger; this may give it elsewhere. */
  onClosed?: () => void
  children: ReactNode
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useFloating(list, button, { isOpen, side })
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]

  function focusFirst() {
    const first = items()[0] ?? list.current
    first?.focus({ preventScroll: true })
  }

  function onKey(event: KeyboardEvent) {
    const all = items()
    const place = all.findIndex((item) => item === document.activeElement)
    const next = nextItem(event.key, all, place)
    if (event.key === 'Tab') list.current?.hidePopover()
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <>
      {cloneElement(trigger, {
        id: `${id}-trigger`,
        ref: button,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        ...{ 'data-state': isOpen ? 'open' : 'closed' },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          list.current?.showPopover()
        },
      })}
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-trigger`}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') flushSync(() => setIsOpen(true))
        }}
        onToggle={(event) => {
          if (event.newState === 'open') return focusFirst()
          // Only now: an item that went with the focus on it could not give it back to the trigger.
          setIsOpen(false)
          onClosed?.()
        }}
        onKeyDown={onKey}
        className="fixed inset-auto m-0 w-60 animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1.5 text-text shadow-float outline-none"
      >
        {isOpen && <CloseContext value={() => list.current?.hidePopover()}>{children}</CloseContext>}
      </div>
    </>
  )
}

/** Arrows go round; a letter leads to the next item that begins with it. */
function nextItem(key: string, items: readonly HTMLElement[], place: number): HTMLElement | undefined {
  const count = items.length
  if (key === 'ArrowDown') return items[(place + 1) % count]
  if (key === 'ArrowUp') return items[(Math.max(0, place) - 1 + count) % count]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const turned = [...items.slice(place + 1), ...items.slice(0, place + 1)]
  return turned.find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

export function MenuItem({
  onSelect,
  isChosen,
  isDangerous = false,
  children,
}: {
  onSelect: () => void
  /** Given where the menu is a choice. */
  isChosen?: boolean
  isDangerous?: boolean
  children: ReactNode
}) {
  const close = useContext(CloseContext)
  return (
    <button
      type="button"
      tabIndex={-1}
      {...(isChosen === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChosen })}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={() => {
        close()
        onSelect()
      }}
      className={`flex h-9 w-full cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-left outline-none select-none focus:bg-sunken pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0 ${isDangerous ? 'text-danger' : '[&_svg]:text-soft'}`}
    >
      {children}
      {isChosen && <Check aria-hidden className="ml-auto" />}
    </button>
  )
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-xs font-medium text-soft">{children}</div>
}
