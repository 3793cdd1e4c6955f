import { type RefObject, useEffect } from 'react'

const gap = 6
const edge = 12

/** Keeps what floats beside its trigger while it is open: on the asked side where it fits, else on the other. */
export function useFloating(
  floating: RefObject<HTMLElement | null>,
  trigger: RefObject<HTMLElement | null>,
  { isOpen, side }: { isOpen: boolean; side: 'top' | 'bottom' },
) {
  useEffect(() => {
    if (!isOpen) return
    const put = () => {
      if (floating.current && trigger.current) place(floating.current, trigger.current.getBoundingClientRect(), side)
    }
    // Told before it is shown, when it has no size yet; the frame comes before anything is painted.
    const frame = requestAnimationFrame(put)
    addEventListener('scroll', put, { passive: true, capture: true })
    addEventListener('resize', put)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', put, { capture: true })
      removeEventListener('resize', put)
    }
  }, [isOpen, side, floating, trigger])
}

function place(floating: HTMLElement, at: DOMRect, side: 'top' | 'bottom') {
  const { style, offsetWidth: width, offsetHeight, clientHeight, scrollHeight } = floating
  // As high as all of it: without the limit it would lose how far it was scrolled.
  const height = scrollHeight + offsetHeight - clientHeight
  const room = { top: at.top - gap - edge, bottom: innerHeight - at.bottom - gap - edge }
  const other = side === 'top' ? 'bottom' : 'top'
  const chosen = height <= room[side] || room[side] >= room[other] ? side : other
  const shown = Math.min(height, room[chosen])
  style.maxHeight = `${Math.max(120, room[chosen])}px`
  style.left = `${Math.max(edge, Math.min(at.left, innerWidth - width - edge))}px`
  style.top = `${chosen === 'bottom' ? at.bottom + gap : at.top - gap - shown}px`
}
