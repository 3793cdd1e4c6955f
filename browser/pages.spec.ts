import { createHash, randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { unsubscribeLink } from '../server/src/customers/unsubscribe.ts'
import { loadSecretKey } from '../server/src/platform/secrets/secret-key.ts'
import { expectSound } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { aPicture } from './picture.ts'

interface Order {
  id: string
  key: string
}

interface Product {
  id: string
}

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte'
const buyer = 'buyer@example.com'

/** A store with everything that a page can show, and long texts in it, made by the API. */
async function aFullStore(keystall: Keystall) {
  const label = `full${process.pid}x${Date.now()}`
  const authorization = `Bearer ${keystall.keyOf('demo@keystall.localhost')}`
  const send = async <Data>(method: string, path: string, body?: unknown, given: Record<string, string> = {}) => {
    const isForm = body instanceof FormData
    const headers = { authorization, ...(isForm ? {} : { 'content-type': 'application/json' }), ...given }
    const payload = isForm ? body : JSON.stringify(body ?? {})
    const answer = await fetch(`${keystall.apiUrl}${path}`, { method, headers, body: payload })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text).data) as Data
  }
  const store = await send<{ id: string }>('POST', '/stores', {
    name: `متجر ${word}`,
    url: label,
    leadingText: word,
    description: `${word} and **more**`,
    announcement: `New: [${word}](https://example.com/)`,
    sellerMessage: 'שלום! נשמח לעזור.',
    termsOfService: `# Terms\n\n| a | b |\n|---|---|\n| ${word} | ${word} |\n\n    ${'code '.repeat(40)}`,
    privacyPolicy: 'None is needed.',
    copyright: `© ${word}`,
    socialMediaAccounts: { chat: `https://chat.example/${word}`, microblog: word },
  })
  const at = `/stores/${store.id}`
  await keystall.query(
    'update stores set is_test_method_on = true, is_verified = true, affiliate_percentage = 10 where id = $1',
    [store.id],
  )
  await send('PUT', `${at}/payment-methods/transfer`, { settings: { email: 'pay@example.com', words: word } })
  await send('PUT', `${at}/payment-methods/wallet`, { settings: { tag: '$stall' } })
  await send('PUT', `${at}/faq`, { title: `What is a ${word}?`, description: 'A long word.' })
  const product = await send<Product>('POST', `${at}/products`, {
    name: word.slice(0, 64),
    cost: 999_999.99,
    visibility: 0,
    tags: [word.slice(0, 30), 'keys'],
    description: `${word}\n\n- one\n\nرائع جدا`,
    isBestSeller: true,
    customValueKeys: ['Player name'],
    deliveryMessage: `Thank you for **${word}**`,
    additionalFees: {},
  })
  const soldOut = await send<Product>('POST', `${at}/products`, {
    name: 'Sold out',
    cost: 0,
    visibility: 0,
    tags: ['keys'],
  })
  await send('PUT', `${at}/products/${product.id}/items`, {
    items: Array.from({ length: 15 }, () => randomUUID().repeat(3)),
  })
  for (const colour of [
    [200, 40, 40],
    [40, 120, 200],
  ] as const) {
    const form = new FormData()
    form.append('image', new Blob([new Uint8Array(aPicture(colour))], { type: 'image/png' }), 'a.png')
    await send('PATCH', `${at}/products/${product.id}/image`, form)
  }
  const group = await send<{ id: string }>('POST', `${at}/product-groups`, { name: `Group ${word}`.slice(0, 60) })
  for (const { id } of [product, soldOut]) await send('PATCH', `${at}/product-groups/${group.id}/${id}`)
  await keystall.query('update stores set featured_product_id = $2 where id = $1', [store.id, product.id])
  const place = async (gateway: string): Promise<Order> => {
    const form = { items: [{ productId: product.id, quantity: 1 }], gateway, emailAddress: buyer }
    const customValues = [{ key: 'Player name', value: word }]
    const [placed] = await send<{ order: Order }[]>('POST', `${at}/checkout`, { ...form, customValues })
    if (!placed) throw new Error('an order is answered with itself')
    return placed.order
  }
  const act = (order: Order, what: string, body: unknown) =>
    send('POST', `/orders/${order.id}/${what}`, body, { 'x-order-key': order.key })
  return { label, id: store.id, at, url: keystall.storeUrl(label), product, soldOut, group, send, place, act }
}

test.use({ viewport: { width: 390, height: 844 } })

test('every page is sound in both themes, and as wide as a phone', async ({ page, context, keystall }) => {
  test.slow()
  const store = await aFullStore(keystall)
  const { url, product } = store
  const order = await store.place('test')
  await store.act(order, 'test-payment', { outcome: 'paid' })
  await store.act(order, 'tickets', { subject: word, message: word })
  await store.act(order, 'reviews', { productId: product.id, rating: 3, reason: word })
  const [customer] = (
    (await keystall.query('select id from customers where store_id = $1', [store.id])) as { rows: { id: string }[] }
  ).rows
  const customerId = customer?.id ?? ''
  await keystall.query(
    `insert into subscriptions (store_id, id, customer_id, product_id, start_date, expiration_date, period, quantity, gateway)
     values ($1, $2, $3, $4, now(), now() + interval '20 days', 'P1M', 1, 'test')`,
    [store.id, randomUUID(), customerId, product.id],
  )
  const closed = await store.send<{ id: string }>('POST', '/stores', {
    name: 'Old stall',
    url: `${store.label}old`,
    backgroundColor: '#102030',
  })
  await keystall.query('update stores set closed_at = now() where id = $1', [closed.id])
  await store.send('POST', '/stores', { name: 'Empty stall', url: `${store.label}new` })
  const secrets = await loadSecretKey({ dataDir: keystall.dataDir })
  const { host } = new URL(keystall.apiUrl)
  const unsubscribe = unsubscribeLink(
    { storeScheme: 'http:', storeDomain: host } as never,
    secrets,
    { url: store.label, activeDomain: null },
    { storeId: store.id, id: customerId },
  )

  const pages: [name: string, address: string][] = [
    ['home', `${url}/`],
    ['nothing found', `${url}/?q=nothing-like-it`],
    ['product', `${url}/product/${product.id}`],
    ['sold out', `${url}/product/${store.soldOut.id}`],
    ['group', `${url}/group/${store.group.id}`],
    ['empty basket', `${url}/basket`],
    ['reviews', `${url}/reviews`],
    ['terms', `${url}/terms`],
    ['contact', `${url}/contact`],
    ['report', `${url}/report`],
    ['sign in', `${url}/portal`],
    ['enter', `${url}/portal/enter?token=${'x'.repeat(43)}`],
    ['not here', `${url}/not-a-page`],
    ['embedded', `${url}/embed/${product.id}`],
    ['unsubscribe', unsubscribe],
    ['no store', keystall.storeUrl(`${store.label}none`)],
    ['closed', keystall.storeUrl(`${store.label}old`)],
    ['empty store', keystall.storeUrl(`${store.label}new`)],
    ['marketplace', `${keystall.apiUrl}/`],
    ['nothing in the marketplace', `${keystall.apiUrl}/?q=nothing-like-it`],
  ]
  for (const [name, address] of pages) {
    await page.goto(address)
    await expectSound(page, name)
  }

  await page.goto(`${url}/product/${product.id}`)
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(page.getByRole('status')).toContainText('is in your basket')
  await page.goto(`${url}/basket`)
  await expectSound(page, 'basket')
  const token = 'y'.repeat(43)
  await keystall.query(
    `insert into customer_sessions (store_id, token_hash, customer_id, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
    [store.id, createHash('sha256').update(token).digest(), customerId],
  )
  await context.addCookies([{ name: 'keystall_customer', value: token, url }])
  await page.goto(`${url}/portal`)
  await expect(page.getByRole('heading', { name: 'Subscriptions' })).toBeVisible()
  await expectSound(page, 'portal')
  for (const themeName of ['list', 'showcase']) {
    await keystall.query('update stores set theme_name = $2 where id = $1', [store.id, themeName])
    await page.goto(`${url}/`)
    await expect(page.locator(`body.theme-${themeName}`)).toBeVisible()
    await expectSound(page, themeName)
  }
})

test('an order’s page is sound in every state, and in every language as wide as a phone', async ({
  page,
  keystall,
}) => {
  test.slow()
  const store = await aFullStore(keystall)
  const moved = async (status: string) => {
    const order = await store.place('test')
    await store.act(order, 'test-payment', { outcome: 'paid' })
    await keystall.query(
      'update orders set status = $2, refunded_minor = case when $2 = $3 then paid_minor else 0 end where id = $1',
      [order.id, status, 'Refunded'],
    )
    return order
  }
  const claimed = await store.place('transfer')
  await store.act(claimed, 'claim', { note: word })
  const rejected = await store.place('wallet')
  await store.act(rejected, 'claim', { note: word })
  await store.send('POST', `${store.at}/orders/${rejected.id}/reject`, { reason: word })
  const partial = await store.place('test')
  await store.act(partial, 'test-payment', { outcome: 'partial' })
  const orders = {
    unpaid: await store.place('test'),
    transfer: await store.place('transfer'),
    claimed,
    rejected,
    partial,
    delivering: await moved('Delivering'),
    undeliverable: await moved('Undeliverable'),
    refunded: await moved('Refunded'),
    cancelled: await moved('Cancelled'),
    delivered: await moved('Delivered'),
  }
  const addressOf = ({ id, key }: Order) => `${store.url}/checkout/${id}?key=${key}`
  for (const [name, order] of Object.entries(orders)) {
    await page.goto(addressOf(order))
    if (name === 'delivered') {
      await page.getByRole('button', { name: 'Reveal 1 item' }).click()
      await expect(page.locator('.items code').first()).toBeVisible()
      await page.getByRole('button', { name: 'Get my link' }).click()
      await expect(page.getByLabel('Your link')).toBeVisible()
      await page.getByText('Open a ticket').click()
      await page.getByText('Review Donau').click()
    }
    await expectSound(page, name)
  }
  for (const language of ['de', 'es', 'fr', 'pt', 'ru', 'zh']) {
    const order = [orders.transfer, orders.partial, orders.delivered].map(addressOf)
    const others = ['/', `/product/${store.product.id}`, '/contact', '/report'].map((path) => `${store.url}${path}`)
    for (const address of [...others, ...order]) {
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`, { waitUntil: 'commit' })
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await page.waitForLoadState('domcontentloaded')
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), address).toBeLessThanOrEqual(390)
    }
  }
})

test('from the first look to the goods by keyboard alone', async ({ page, keystall }) => {
  const store = await aFullStore(keystall)
  /** What has the focus can be seen to have it. */
  const tabTo = async (name: string | RegExp, role: 'link' | 'button' | 'textbox') => {
    const wanted = page.getByRole(role, { name }).and(page.locator(':focus'))
    for (let presses = 0; presses < 60 && (await wanted.count()) === 0; presses += 1) {
      await page.keyboard.press('Tab')
      const outline = await page.evaluate<string>(`(() => {
        const shown = document.activeElement.closest('.tile') ?? document.activeElement
        return getComputedStyle(shown).outlineStyle
      })()`)
      expect(outline, 'the focus is seen').not.toBe('none')
    }
    await expect(wanted).toHaveCount(1)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${store.url}/group/${store.group.id}`)
  await tabTo('Skip to the content', 'link')
  await page.keyboard.press('Enter')
  await tabTo(/^Donau/, 'link')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Donau/, level: 1 })).toBeVisible()
  await tabTo('Buy now', 'button')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Basket', level: 1 })).toBeVisible()
  await tabTo('E-mail', 'textbox')
  await page.keyboard.type('keys@example.com')
  await tabTo('Player name', 'textbox')
  await page.keyboard.type('Ada')
  await page.getByRole('radio', { name: /^Test payment/ }).focus()
  await page.keyboard.press('Space')
  await tabTo('Place order', 'button')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^To pay/ })).toBeVisible()
  await tabTo('Pay with play money', 'button')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Delivered' })).toBeVisible()
  await tabTo('Reveal 1 item', 'button')
  await page.keyboard.press('Enter')
  await expect(page.locator('.items code').first()).toBeVisible()
})
