import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Html, html } from './html.ts'
import { injections } from './injections.ts'
import type { ShownOrder } from './order.ts'
import { basketPage } from './pages/basket.ts'
import { confirmQuestionPage, contactPage, questionSentPage } from './pages/contact.ts'
import { groupPage } from './pages/group.ts'
import { homePage } from './pages/home.ts'
import { marketPage } from './pages/market.ts'
import { closedPage, failurePage } from './pages/not-found.ts'
import { calm, orderPage } from './pages/order.ts'
import { enterPage, linkSentPage, portalPage, signInPage } from './pages/portal.ts'
import { productPage } from './pages/product.ts'
import { reportPage, reportSentPage } from './pages/report.ts'
import { reviewsPage } from './pages/reviews.ts'
import { ticketPage } from './pages/ticket.ts'
import { unsubscribePage } from './pages/unsubscribe.ts'
import type { Draft, Shop, ShownReview, ThemeName, Tile } from './shop.ts'
import { speechOf } from './speech.ts'
import type { ShownTicket } from './ticket.ts'

const id = '01890000-0000-7000-8000-000000000001'

function shopWith(text: string, theme: ThemeName): Shop {
  return {
    speech: speechOf('en'),
    isLanguageAsked: false,
    here: `/?q=${encodeURIComponent(text)}`,
    name: text,
    origin: 'https://shop.example',
    currency: 'EUR',
    theme,
    logoName: null,
    isVerified: true,
    copyright: text,
    hasTerms: true,
    hasPrivacy: true,
    basketCount: 1,
    assets: { style: '/a.css', script: '/a.js', mark: '/a.svg', theme: null },
  }
}

function tileWith(text: string): Tile {
  return {
    id,
    name: text,
    cost: 1,
    stock: 3,
    ignoreOutOfStock: false,
    isPinned: true,
    isBestSeller: true,
    rating: 4.5,
    amountSold: 2,
    imageName: null,
    minimumQuantity: 2,
    maximumQuantity: 3,
  }
}

function pagesWith(text: string, theme: ThemeName): Html[] {
  const shop = shopWith(text, theme)
  const tile = tileWith(text)
  const order = orderWith(text)
  const review: ShownReview = {
    id,
    rating: 5,
    reason: text,
    reply: text,
    dateCreated: '2030-01-01T00:00:00Z',
    product: { id, name: text },
  }
  const said = html`<p>${text}</p>`
  const links = [{ network: 'chat' as const, text, href: null }]
  const draft = (names: string[]): Draft => ({
    values: Object.fromEntries(names.map((name) => [name, text])),
    reasons: Object.fromEntries(names.map((name) => [name, text])),
  })
  return [
    homePage(shop, {
      title: text,
      leadingText: text,
      description: said,
      summary: text,
      announcement: said,
      sellerMessage: said,
      sellerName: text,
      featured: { ...tile, description: said },
      sections: [{ group: { id, name: text, size: 9 }, products: [tile] }],
      tags: [text],
      faq: [{ id, question: text, answer: said }],
      links,
      figures: null,
      search: { words: '', tag: '', page: 1, pages: 1, isAsked: false, found: 1 },
    }),
    homePage(shop, {
      title: text,
      leadingText: null,
      description: null,
      summary: null,
      announcement: null,
      sellerMessage: null,
      sellerName: '',
      featured: null,
      sections: [],
      tags: [text],
      faq: [],
      links: [],
      figures: null,
      search: { words: text, tag: text, page: 2, pages: 3, isAsked: true, found: 0 },
    }),
    productPage(
      shop,
      {
        ...tile,
        description: said,
        summary: text,
        imageNames: [],
        customValueKeys: [text],
        isListed: true,
        isDeliveredAtOnce: true,
        reviews: [review],
        likes: 3,
        isLiked: true,
        reviewCount: 1,
        methods: [text],
        related: [tile],
        group: { id, name: text },
      },
      { isAdded: true },
    ),
    groupPage(shop, { id, name: text, products: [tile] }),
    reviewsPage(shop, { reviews: [review], totalReviews: 1, average: 5, page: 1, pages: 1 }),
    contactPage(shop, {
      message: said,
      links,
      draft: draft(['emailAddress', 'subject', 'message']),
      refusal: text,
    }),
    questionSentPage(shop, text),
    reportPage(shop, { draft: draft(['type', 'reason', 'emailAddress']), refusal: text }),
    reportSentPage(shop),
    unsubscribePage(shop, { action: text, isDone: false }),
    unsubscribePage(shop, { action: text, isDone: true }),
    confirmQuestionPage(shop, { id, key: text, emailAddress: text, subject: text, message: text }),
    ...[true, false].map((isClosed) =>
      ticketPage(
        shop,
        { ...ticketWith(text), isClosed, key: text, previous: { subject: text } },
        { form: isClosed ? 'again' : 'reply', draft: draft(['subject', 'message', 'file']), message: text },
      ),
    ),
    failurePage(shop, { title: text, text }),
    ...[null, id].map((embeddedId) =>
      basketPage(shop, {
        lines: [{ product: tile, quantity: 2, reason: text }],
        methods: [{ id: text, amounts: { subtotal: 2, discount: 1, fee: 1, total: 2 } }],
        quote: { subtotal: 2, discount: 1, fee: 1, total: 2 },
        gateway: text,
        couponCode: text,
        isCouponTaken: true,
        customValues: [{ key: text, name: 'value 1' }],
        draft: draft(['emailAddress', 'couponCode', 'gateway', 'value 1']),
        formKey: id,
        message: text,
        embeddedId,
      }),
    ),
    portalPage(shop, {
      emailAddress: text,
      orders: [
        {
          id,
          key: text,
          dateCreated: '2030-01-01T00:00:00Z',
          status: 'Delivered',
          isByHand: false,
          names: [text, text],
          cost: 1,
          currency: 'EUR',
        },
      ],
      page: 2,
      pages: 3,
      tickets: [{ id, subject: text, dateCreated: '2030-01-01T00:00:00Z', state: 'answered', path: `/ticket/${id}` }],
      subscriptions: [{ id, name: text, expirationDate: '2030-01-01T00:00:00Z', state: 'renewing' }],
    }),
    signInPage(shop, { draft: draft(['emailAddress']), message: text }),
    linkSentPage(shop, text),
    enterPage(shop, text),
    closedPage(shop.speech, shop.assets, { name: text, theme: null }),
    marketPage(shop, {
      products: [{ ...tile, currency: 'EUR', storeName: text, address: 'https://shop.example/product/1' }],
      tags: [text],
      words: text,
      tag: text,
      sort: 'rated',
      page: 2,
      pages: 3,
      found: 9,
      isMore: true,
    }),
    orderPage(shop, order, { form: 'ticket', draft: draft(['subject', 'message']), message: text }),
    orderPage(shop, { ...order, status: 'Pending' }, calm),
    orderPage(shop, { ...order, byHand: null, step: order.step && { ...order.step, payee: null, code: null } }, calm),
  ]
}

function orderWith(text: string): ShownOrder {
  return {
    id,
    key: 'k',
    dateCreated: '2030-01-01T00:00:00Z',
    status: 'PartiallyPaid',
    gateway: text,
    isTest: false,
    currency: 'EUR',
    cost: 2,
    amountPaid: 1,
    amountRefunded: 0,
    isPaid: true,
    discount: 1,
    fee: 1,
    expiresAt: '2030-01-01T01:00:00Z',
    canBeCancelled: true,
    lines: [
      {
        productId: id,
        name: text,
        cost: 1,
        quantity: 2,
        imageName: null,
        items: [text],
        isDelivered: true,
        review: null,
      },
      {
        productId: id,
        name: text,
        cost: 1,
        quantity: 2,
        imageName: null,
        items: [text],
        isDelivered: true,
        review: { rating: 1, reason: text, reply: text },
      },
    ],
    itemCount: 2,
    files: [{ id, friendlyName: text }],
    deliveryMessage: html`<p>${text}</p>`,
    tickets: [ticketWith(text)],
    step: {
      redirectUrl: null,
      address: text,
      amount: text,
      uri: null,
      expiresAt: null,
      instructions: text,
      payee: text,
      code: text,
      isAsFriends: true,
      words: text,
    },
    byHand: { proofs: [text], rejection: text },
    credit: { isCodeSent: true },
    affiliate: { percentage: 5, url: text, balances: [{ currency: 'EUR', earned: 1, paidOut: 0 }] },
    qrCode: null,
  }
}

function ticketWith(text: string): ShownTicket {
  const files = [{ id, friendlyName: text, bytes: 1 }]
  const dateCreated = '2030-01-01T00:00:00Z'
  const entries = [{ id, name: text, isSellers: true, message: text, dateCreated, files }]
  return { id, subject: text, isClosed: false, entries }
}

/** The tags and the names of their attributes; whatever stands inside quotes or between tags is text. */
function skeleton(page: Html): string[] {
  return (
    page.text
      .replace(/(<script type="application\/ld\+json">)[^<]*/, '$1')
      .replace(/"[^"<>]*"/g, '""')
      .match(/<[^>]*>/g) ?? []
  )
}

describe('hostile texts change no tag of any page', () => {
  assert.ok(injections.length >= 40)
  for (const theme of ['cards', 'list', 'showcase'] as const) {
    test(theme, () => {
      const plain = pagesWith('x', theme).map(skeleton)
      for (const injection of injections) {
        for (const [place, page] of pagesWith(injection, theme).entries()) {
          assert.deepEqual(skeleton(page), plain[place], injection)
        }
      }
    })
  }
})

test('what search engines are told stays one piece of JSON', () => {
  for (const injection of injections) {
    const told = pagesWith(injection, 'cards').flatMap(({ text }) =>
      [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(([, json = '']) =>
        JSON.parse(json),
      ),
    )
    assert.deepEqual([...new Set(told.map((each) => each['@type']))], ['Store', 'Product'])
    for (const { name } of told) assert.equal(name, injection)
  }
})
