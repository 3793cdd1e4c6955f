import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let chosenId = read()

/** The store that the workbench is about: the one chosen last in this browser, else the first. */
export function useChosenStore<Store extends { id: string }>(stores: readonly Store[]): Store | undefined {
  const id = useSyncExternalStore(subscribe, () => chosenId)
  return stores.find((store) => store.id === id) ?? stores[0]
}

export function chooseStore(storeId: string) {
  chosenId = storeId
  try {
    localStorage.setItem('store', storeId)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read() {
  try {
    return localStorage.getItem('store')
  } catch {
    return null
  }
}
