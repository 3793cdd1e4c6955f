import type { OrderStatus } from '@keystall/contract/shapes/order'
import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { field, notice } from '../parts/field.ts'
import { moment } from '../parts/moment.ts'
import { isPastTheEnd, noSuchPage, pager } from '../parts/pager.ts'
import type { Draft, Shop } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { statusWords } from '../words.ts'

/** All that a customer has at one store. */
export interface Portal {
  emailAddress: string
  orders: PortalOrder[]
  page: number
  pages: number
  tickets: PortalTicket[]
  subscriptions: PortalSubscription[]
}

export interface PortalSubscription {
  id: string
  name: string
  expirationDate: string
  state: 'renewing' | 'ending' | 'ended'
}

export interface PortalOrder {
  id: string
  key: string
  dateCreated: string
  status: OrderStatus
  /** Whether the seller looks for the money. */
  isByHand: boolean
  names: string[]
  cost: number
  currency: string
}

export interface PortalTicket {
  id: string
  subject: string
  dateCreated: string
  state: 'open' | 'answered' | 'done'
  /** Where it is read and answered, on the store's own host. */
  path: string
}

const addressOf = (page: number) => `/portal?page=${page}`

export function portalPage(shop: Shop, portal: Portal): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    { title: `${say('yourOrders')} · ${shop.name}`, path: null },
    html`<div class="wide narrow portal"><h1>${say('yourOrders')}</h1>
<form class="signed-in" method="post" action="/portal/leave"><p class="quiet">${say('signedInAs', { email: portal.emailAddress })}</p><button class="button small">${say('signOut')}</button></form>
${orders(speech, portal)}
${pager(speech, portal, addressOf)}
${portal.subscriptions.length > 0 && subscriptions(speech, portal)}
${portal.tickets.length > 0 && tickets(speech, portal)}
</div>`,
  )
}

function orders(speech: Speech, portal: Portal): Html {
  const { say } = speech
  if (isPastTheEnd(portal)) return noSuchPage(speech, portal, addressOf)
  if (portal.orders.length === 0)
    return html`<div class="empty card"><h2>${say('noOrders')}</h2><p><a class="button primary" href="/">${say('seeProducts')}</a></p></div>`
  return html`<ul class="ledger card">${portal.orders.map((order) => orderRow(speech, order))}</ul>`
}

function orderRow(speech: Speech, order: PortalOrder): Html {
  const { id, key, dateCreated, names, cost, currency } = order
  const [title, , mood] = statusWords(speech, order)
  return html`<li><a href="/checkout/${id}?key=${encodeURIComponent(key)}"><span class="what"><b>${speech.list(names)}</b>
<span class="facts"><span class="state ${mood}">${title}</span> ${moment(speech, dateCreated)}</span></span>
<span class="price">${speech.price(cost, currency)}</span></a></li>`
}

const subscriptionKeys = { renewing: 'renewsOn', ending: 'endsOn', ended: 'endedOn' } as const

function subscriptions(speech: Speech, { subscriptions: shown }: Portal): Html {
  const { say, day } = speech
  return html`<section class="section" aria-labelledby="subscriptions"><h2 id="subscriptions">${say('subscriptions')}</h2>
<ul class="ledger card">${shown.map(
    ({ id, name, expirationDate, state }) =>
      html`<li><div><span class="what"><b>${name}</b><span class="facts">${say(subscriptionKeys[state], { date: day(expirationDate) })}</span></span>
${
  state === 'renewing' &&
  html`<form method="post" action="/portal/subscription/${id}/cancel"><button class="button small" aria-label="${say('cancelRenewalOf', { name })}">${say('cancelRenewal')}</button></form>`
}</div></li>`,
  )}</ul></section>`
}

function tickets(speech: Speech, { tickets: shown }: Portal): Html {
  const { say } = speech
  const states = {
    open: html`<span class="state warm">${say('stateOpen')}</span>`,
    answered: html`<span class="state good">${say('stateAnswered')}</span>`,
    done: html`<span class="state quiet">${say('stateDone')}</span>`,
  }
  return html`<section class="section" aria-labelledby="tickets"><h2 id="tickets">${say('tickets')}</h2>
<ul class="ledger card">${shown.map(
    ({ subject, path, state, dateCreated }) =>
      html`<li><a href="${path}"><span class="what"><b>${subject}</b><span class="facts">${states[state]} ${moment(speech, dateCreated)}</span></span></a></li>`,
  )}</ul></section>`
}

/** Where a customer asks for the link that signs in. */
export function signInPage(shop: Shop, { draft, message }: { draft: Draft; message: string | undefined }): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    { title: `${say('yourOrders')} · ${shop.name}`, path: null },
    html`<div class="wide narrow"><h1>${say('yourOrders')}</h1>${notice(message)}
<form class="card pad" method="post" action="/portal"><p>${say('signInText', { store: shop.name })}</p>
${field(speech, { name: 'emailAddress', label: say('emailAddress'), kind: 'email', draft, maxLength: 254, autocomplete: 'email' })}
<button class="button primary">${say('sendLink')}</button></form></div>`,
  )
}

/** The same whether anybody has that address or not. */
export function linkSentPage(shop: Shop, emailAddress: string): Html {
  const { say } = shop.speech
  return storePage(
    shop,
    { title: `${say('linkSent')} · ${shop.name}`, path: null },
    html`<div class="wide alone"><h1>${say('linkSent')}</h1><p>${say('linkSentText', { email: emailAddress })}</p></div>`,
  )
}

/** A button, not the link itself: mail programs look at links before their readers do. */
export function enterPage(shop: Shop, token: string): Html {
  const { say } = shop.speech
  return storePage(
    shop,
    { title: `${say('signIn')} · ${shop.name}`, path: null },
    html`<div class="wide alone"><h1>${say('yourOrders')}</h1><p>${say('enterText')}</p>
<form method="post" action="/portal/enter"><input type="hidden" name="token" value="${token}"><button class="button primary">${say('signIn')}</button></form></div>`,
  )
}
