import type { StoreEvent } from '@keystall/contract/shapes/webhook'
import { formatMoney } from '../ui/money.ts'
import { toast } from '../ui/Toast.tsx'
import { ring } from './bell.ts'
import { livePreferences } from './preferences.ts'

interface News {
  words: string
  path: string
}

/** Tells of a new sale or a new ticket. What the seller does in person is no news. */
export function announce(storeId: string, event: StoreEvent, go: (path: string) => void) {
  const news = newsOf(storeId, event)
  if (!news) return
  toast(news.words, { label: 'Open', onAct: () => go(news.path) })
  const { hasSound, hasNotifications } = livePreferences()
  void inOneTab(news, () => {
    if (hasSound) ring()
    if (hasNotifications && document.hidden) notify(news, go)
  })
}

function newsOf(storeId: string, { type, data }: StoreEvent): News | undefined {
  const { orderId, ticketId, subject, cost, currency } = data
  if (type === 'order.paid' && typeof orderId === 'string' && typeof cost === 'number') {
    const amount = typeof currency === 'string' ? formatMoney(cost, currency) : String(cost)
    return { words: `New order: ${amount}`, path: `/stores/${storeId}/orders/${orderId}` }
  }
  if (type === 'order.undeliverable' && typeof orderId === 'string') {
    return { words: 'An order could not be delivered', path: `/stores/${storeId}/orders/${orderId}` }
  }
  if (type === 'ticket.created' && typeof ticketId === 'string') {
    return { words: `New ticket: ${String(subject)}`, path: `/stores/${storeId}/tickets/${ticketId}` }
  }
  return undefined
}

function notify({ words, path }: News, go: (path: string) => void) {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const shown = new Notification(words, { icon: '/favicon.svg', tag: path })
  shown.addEventListener('click', () => {
    window.focus()
    go(path)
    shown.close()
  })
}

/** Several tabs hear of it at the same moment; one of them speaks. */
async function inOneTab({ path }: News, act: () => void) {
  if (!('locks' in navigator)) return act()
  await navigator.locks.request(`announcing ${path}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    act()
    await new Promise((resolve) => setTimeout(resolve, 1500))
  })
}
