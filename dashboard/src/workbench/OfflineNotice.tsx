import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <output className="contents">
      {!isOnline && (
        <span className="fixed inset-x-0 top-0 z-40 flex animate-appear items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-center text-sm font-medium text-warning">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          You are offline. What you see may be old; it is brought up to date by itself.
        </span>
      )}
    </output>
  )
}

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
