/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls can be reached by keyboard */
import { type ReactNode, useRef, useState } from 'react'

const rowsAround = 8

/** A list of any length: only the rows in sight are in the page. Every row has the same height. */
export function VirtualList({
  label,
  count,
  rowHeight,
  height,
  onRange,
  render,
}: {
  label: string
  count: number
  rowHeight: number
  height: number
  /** Told which rows are in sight, so that they can be loaded. */
  onRange?: (first: number, last: number) => void
  render: (index: number) => ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.floor(top / rowHeight) - rowsAround)
  const last = Math.min(count - 1, Math.ceil((top + height) / rowHeight) + rowsAround)
  return (
    <div
      ref={frame}
      tabIndex={0}
      onScroll={() => {
        const scrolled = frame.current?.scrollTop ?? 0
        setTop(scrolled)
        onRange?.(Math.floor(scrolled / rowHeight), Math.min(count - 1, Math.ceil((scrolled + height) / rowHeight)))
      }}
      className="overflow-y-auto overscroll-contain -outline-offset-2"
      style={{ height: Math.min(height, Math.max(1, count) * rowHeight) }}
    >
      <ul aria-label={label} className="relative" style={{ height: count * rowHeight }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => {
          const index = first + place
          return (
            <li
              key={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              className="absolute inset-x-0"
              style={{ top: index * rowHeight, height: rowHeight }}
            >
              {render(index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
