import { type PreviewForm, previewPage } from '@keystall/contract/endpoints/storefront'
import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react'
import { send } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

const typingPauseMs = 350

/**
 * A page of the store as it would be, made by the server with the code that makes the page. It stands in a frame that
 * runs no script; its style and pictures come from the dashboard's own host, as the dashboard's policy wants.
 */
export function StorePreview({ storeId, form }: { storeId: string; form: PreviewForm }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <aside aria-label="Preview" className="flex flex-col gap-3 xl:sticky xl:top-6">
      <Button className="self-start xl:hidden" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        {isOpen ? 'Hide preview' : 'Show preview'}
      </Button>
      <div className={isOpen ? '' : 'max-xl:hidden'}>
        <Frame storeId={storeId} form={form} />
      </div>
    </aside>
  )
}

function Frame({ storeId, form }: { storeId: string; form: PreviewForm }) {
  const settled = useSettled(JSON.stringify(form))
  const preview = useQuery({
    queryKey: ['preview', storeId, settled],
    queryFn: async ({ signal }) => {
      const body: PreviewForm = JSON.parse(settled)
      return (await send(previewPage, { path: { storeId }, body, signal })).data.html
    },
    // What cannot be shown yet leaves what was.
    placeholderData: (before) => before,
    retry: false,
    gcTime: 10_000,
  })
  const frame = useRef<HTMLIFrameElement>(null)
  const html = useDeferredValue(preview.data)
  useEffect(() => {
    if (html !== undefined) show(frame, html)
  }, [html])
  return (
    <figure className="flex flex-col gap-2">
      <div className="relative overflow-hidden rounded-card border border-line bg-surface">
        {html === undefined && !preview.isError && (
          <div aria-hidden className="absolute inset-0 flex flex-col gap-4 p-4">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="aspect-4/3 w-full" />
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
        <iframe
          ref={frame}
          title="Preview of the store page"
          sandbox="allow-same-origin"
          tabIndex={-1}
          srcDoc={firstPage}
          className={`block h-[min(720px,calc(100dvh-120px))] w-full transition-opacity ${html === undefined ? 'opacity-0' : ''}`}
        />
      </div>
      <figcaption className="text-center text-xs text-soft">
        {preview.isError ? 'The preview waits until the fields are right.' : 'As a buyer sees it on a phone.'}
      </figcaption>
    </figure>
  )
}

const firstPage = '<!doctype html><html><head></head><body></body></html>'

/** Changed in place, so that the page neither flashes nor loses where it was scrolled to. */
function show(frame: RefObject<HTMLIFrameElement | null>, html: string) {
  const shown = frame.current?.contentDocument
  if (!shown) return
  // Until its own document is there, the frame has another, complete and empty, which that one replaces.
  if (shown.URL !== 'about:srcdoc' || shown.readyState !== 'complete') {
    frame.current?.addEventListener('load', () => show(frame, html), { once: true })
    return
  }
  const made = new DOMParser().parseFromString(html, 'text/html')
  for (const script of made.querySelectorAll('script')) script.remove()
  const styles = [...made.head.querySelectorAll('link[rel=stylesheet]')]
  const present = [...shown.head.querySelectorAll('link')].map((link) => link.getAttribute('href'))
  if (styles.map((link) => link.getAttribute('href')).join() !== present.join()) replaceStyles(shown, styles)
  shown.body.className = made.body.className
  shown.body.replaceChildren(...[...made.body.childNodes].map((node) => shown.importNode(node, true)))
  // To be looked at: nothing in it leads anywhere.
  shown.body.inert = true
}

/** The old ones stay until the new ones are there. */
function replaceStyles(shown: Document, styles: readonly Element[]) {
  const old = [...shown.head.querySelectorAll('link')]
  const fresh = styles.map((link) => shown.importNode(link, true))
  const last = fresh.at(-1)
  last?.addEventListener('load', () => {
    for (const link of old) link.remove()
  })
  shown.head.append(...fresh)
}

/** The value once nobody has changed it for a moment. */
function useSettled(value: string) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
