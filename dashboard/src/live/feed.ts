import { eventTypes, type StoreEvent } from '@keystall/contract/shapes/webhook'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '../api.ts'
import { announce } from './announce.ts'

const pollEveryMs = 30_000
const gatherMs = 400

/** Which lists an event makes old: `order.paid` those of orders, and the figures. */
const touched: Record<string, readonly string[]> = {
  order: ['orders', 'analytics', 'customers'],
  ticket: ['tickets', 'analytics'],
  review: ['reviews', 'analytics'],
  product: ['products', 'analytics'],
}

/** Follows a store's events while the workbench is open, and asks now and then while it cannot. */
export function useLiveFeed(storeId: string | undefined, isAllowed: boolean) {
  const { history } = useRouter()
  useEffect(() => {
    if (storeId === undefined) return
    if (!isAllowed) return poll(storeId)
    return follow(storeId, (path) => history.push(path))
  }, [storeId, isAllowed, history])
}

function follow(storeId: string, go: (path: string) => void) {
  let last: string | undefined
  let source: EventSource | undefined
  let stopPolling: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = gatherer(storeId)

  function open() {
    const after = last === undefined ? '' : `?after=${last}`
    source = new EventSource(`/api/stores/${storeId}/events/live${after}`)
    source.addEventListener('open', () => {
      stopPolling?.()
      stopPolling = undefined
    })
    for (const type of eventTypes) source.addEventListener(type, hear)
    // The browser comes back by itself after a cut; what is refused it gives up, and we try again later.
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      stopPolling ??= poll(storeId)
      clearTimeout(timer)
      timer = setTimeout(open, pollEveryMs)
    })
  }

  function hear(message: MessageEvent<string>) {
    last = message.lastEventId
    const event: StoreEvent = JSON.parse(message.data)
    refresh(event.type.split('.')[0] ?? '')
    announce(storeId, event, go)
  }

  open()
  return () => {
    source?.close()
    stopPolling?.()
    clearTimeout(timer)
  }
}

/** A rush of events asks for each list once. */
function gatherer(storeId: string) {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return (subject: string) => {
    for (const name of touched[subject] ?? []) waiting.add(name)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const name of waiting) void queryClient.invalidateQueries({ queryKey: [name, storeId] })
      waiting.clear()
    }, gatherMs)
  }
}

function poll(storeId: string) {
  const timer = setInterval(() => {
    for (const name of ['orders', 'tickets', 'analytics'])
      void queryClient.invalidateQueries({ queryKey: [name, storeId] })
  }, pollEveryMs)
  return () => clearInterval(timer)
}
