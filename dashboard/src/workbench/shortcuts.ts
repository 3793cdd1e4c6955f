import { useSyncExternalStore } from 'react'

/** What floats over the workbench: the palette, the list of shortcuts, or nothing. */
type Overlay = 'palette' | 'shortcuts' | undefined

let overlay: Overlay
const listeners = new Set<() => void>()

export const useOverlay = () => useSyncExternalStore(subscribe, () => overlay)

export function showOverlay(next: Overlay) {
  overlay = next
  for (const listener of listeners) listener()
}

export const openPalette = () => showOverlay('palette')

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a key belongs to what is being typed, not to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || isInside(target)
}

function isInside(target: HTMLElement) {
  return target.closest('dialog, [role="menu"]') !== null
}
