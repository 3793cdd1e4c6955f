import { lazy, Suspense, useEffect, useRef } from 'react'
import { useRouter } from '@tanstack/react-router'
import { isTyping, showOverlay, useOverlay } from './shortcuts.ts'
import { useSections } from './use-sections.ts'

const Palette = lazy(async () => ({ default: (await import('../palette/Palette.tsx')).Palette }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

const goMs = 1200

/** The palette, the list of shortcuts, and the keys that lead to them and to pages. */
export function Overlays() {
  const overlay = useOverlay()
  useKeys()
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={() => showOverlay(undefined)} />}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={() => showOverlay(undefined)} />}
    </Suspense>
  )
}

function useKeys() {
  const router = useRouter()
  const { sections, storeId } = useSections()
  const wentAt = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        showOverlay('palette')
        return
      }
      if (isTyping(event)) return
      const isGoing = performance.now() - wentAt.current < goMs
      wentAt.current = 0
      const link = isGoing && sections.flatMap(({ links }) => links).find(({ goKey }) => goKey === event.key)
      if (link) router.history.push(link.to.replace('$storeId', storeId))
      else if (event.key === 'g') wentAt.current = performance.now()
      else if (event.key === '?') showOverlay('shortcuts')
      else if (event.key === '/') document.querySelector<HTMLElement>('main [data-search]')?.focus()
      else if (event.key === 'j' || event.key === 'k') focusRow(event.key === 'j' ? 1 : -1)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [router, sections, storeId])
}

/** From row to row of the page's list, by the link that leads to each. */
function focusRow(step: 1 | -1) {
  const links = [...document.querySelectorAll('main tbody tr')].flatMap((row) => row.querySelector('a') ?? [])
  const row = document.activeElement?.closest('tr')
  const place = links.findIndex((link) => row?.contains(link))
  const next = links[place === -1 ? (step === 1 ? 0 : links.length - 1) : place + step]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
