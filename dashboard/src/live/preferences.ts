import { useSyncExternalStore } from 'react'

/** How this browser tells of new orders and tickets. */
interface Preferences {
  hasSound: boolean
  hasNotifications: boolean
}

const name = 'live'
const listeners = new Set<() => void>()
let preferences = read()

export const livePreferences = () => preferences

export const useLivePreferences = () => useSyncExternalStore(subscribe, () => preferences)

export function changePreferences(part: Partial<Preferences>) {
  preferences = { ...preferences, ...part }
  try {
    localStorage.setItem(name, JSON.stringify(preferences))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '{}')
    const { hasSound, hasNotifications } = Object(kept)
    return { hasSound: hasSound === true, hasNotifications: hasNotifications === true }
  } catch {
    return { hasSound: false, hasNotifications: false }
  }
}
