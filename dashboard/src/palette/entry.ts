import type { LucideIcon } from 'lucide-react'

/** One line of the palette: a page to go to, or something to do. */
export interface Entry {
  group: string
  id: string
  label: string
  hint?: string
  icon: LucideIcon
  path?: string
  run?: () => void
}

/** Every word that is typed must begin a word of the line. */
export function matches({ label, group }: Entry, typed: string): boolean {
  const words = `${label} ${group}`.toLowerCase().split(/\s+/)
  return typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
