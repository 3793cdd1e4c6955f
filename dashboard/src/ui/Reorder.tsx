import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/** What a row's handle needs. */
export interface Grip {
  name: string
  isHeld: boolean
  onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void
  onPointerMove: (event: PointerEvent<HTMLButtonElement>) => void
  onPointerUp: () => void
  onPointerCancel: () => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/**
 * A list that its owner puts in order: by dragging the handle with mouse or finger, or with the arrow keys on it. The
 * element with `listRef` has one child a row.
 */
export function useReorder<Row>({
  rows,
  keyOf,
  nameOf,
  onArrange,
}: {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  onArrange: (rows: readonly Row[]) => void
}) {
  const list = useRef<HTMLElement | null>(null)
  const [held, setHeld] = useState<{ key: string; rows: readonly Row[] }>()
  const [said, setSaid] = useState('')
  const shown = held?.rows ?? rows

  function moved(from: readonly Row[], index: number, to: number) {
    const row = from[index]
    return row === undefined || to < 0 || to >= from.length ? from : from.toSpliced(index, 1).toSpliced(to, 0, row)
  }

  function follow(event: PointerEvent) {
    if (!held || !list.current) return
    const index = held.rows.findIndex((row) => keyOf(row) === held.key)
    const to = [...list.current.children].findIndex((child) => {
      const { top, bottom, left, right } = child.getBoundingClientRect()
      return event.clientY >= top && event.clientY < bottom && event.clientX >= left && event.clientX < right
    })
    if (to !== -1 && to !== index) setHeld({ ...held, rows: moved(held.rows, index, to) })
  }

  function drop() {
    if (!held) return
    setHeld(undefined)
    if (held.rows.some((row, index) => row !== rows[index])) onArrange(held.rows)
  }

  function gripOf(row: Row): Grip {
    const key = keyOf(row)
    return {
      name: nameOf(row),
      isHeld: held?.key === key,
      onPointerDown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setHeld({ key, rows })
      },
      onPointerMove: follow,
      onPointerUp: drop,
      onPointerCancel: () => setHeld(undefined),
      onKeyDown: (event) => {
        const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        const index = rows.findIndex((each) => keyOf(each) === key)
        const arranged = moved(rows, index, index + step)
        if (arranged === rows) return
        onArrange(arranged)
        setSaid(`${nameOf(row)} is now number ${index + step + 1} of ${rows.length}`)
      },
    }
  }

  function listRef(element: HTMLElement | null) {
    list.current = element
  }

  return { shown, listRef, gripOf, said }
}

export function Handle({ grip, className = '' }: { grip: Grip; className?: string }) {
  const { name, isHeld, ...handlers } = grip
  return (
    <button
      type="button"
      {...handlers}
      aria-label={`Move ${name}: drag, or use the arrow keys`}
      title="Drag, or use the arrow keys"
      className={`grid size-8 shrink-0 touch-none place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-text pointer-coarse:size-11 ${isHeld ? 'cursor-grabbing!' : 'cursor-grab!'} ${className}`}
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  )
}
