import { useEffect, useLayoutEffect, useRef, useState } from 'react'

const rowsAround = 12
/** The window moves in steps: most scroll events change nothing. */
const step = 6
const rowHeightGuess = 44
const rowsAtFirst = 40
/** Rows of unequal height: another mean shows other rows, whose mean is another. Some steps come near enough. */
const measuringsMax = 4

/** Which rows of a long list are in sight, with some around them. The page itself scrolls, not the list. */
export function useVisibleRows<Place extends HTMLElement>(total: number) {
  const ref = useRef<Place>(null)
  const [rowHeight, setRowHeight] = useState(rowHeightGuess)
  const [range, setRange] = useState({ from: 0, to: Math.min(total, rowsAtFirst) })

  const measurings = useRef(0)

  // Rows may change their height with any of their words; measuring costs two reads.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    const measured = heightOfRows(ref.current)
    if (measured === undefined || Math.abs(measured - rowHeight) <= 0.5) return
    measurings.current += 1
    if (measurings.current <= measuringsMax) setRowHeight(measured)
  })

  useEffect(() => {
    measurings.current = 0
  }, [total])

  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const place = ref.current
      if (!place) return
      const above = Math.max(0, -place.getBoundingClientRect().top)
      const inSight = Math.ceil(innerHeight / rowHeight)
      const top = Math.floor(above / rowHeight)
      const from = Math.max(0, Math.floor((top - rowsAround) / step) * step)
      const to = Math.min(total, Math.ceil((top + inSight + rowsAround) / step) * step)
      setRange((before) => (before.from === from && before.to === to ? before : { from: Math.min(from, to), to }))
    }
    const lookSoon = () => {
      measurings.current = 0
      frame ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', lookSoon, { passive: true })
    addEventListener('resize', lookSoon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', lookSoon)
      removeEventListener('resize', lookSoon)
    }
  }, [total, rowHeight])

  return { ref, rowHeight, from: Math.min(range.from, total), to: Math.min(range.to, total) }
}

/** The mean height of the rows that are there, gaps between cards included. */
function heightOfRows(place: HTMLElement | null): number | undefined {
  const rows = place ? [...place.querySelectorAll<HTMLElement>(':scope > tr:not([aria-hidden])')] : []
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (!first || !last || rows.length < 2) return undefined
  return (last.getBoundingClientRect().top - first.getBoundingClientRect().top) / (rows.length - 1)
}
