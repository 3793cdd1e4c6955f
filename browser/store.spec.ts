import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { type Keystall, test } from './keystall.ts'

let met = 0

test.use({ actionTimeout: 10_000 })

// On a database of its own a store does not take play money by itself.
test.beforeEach(({ keystall }) => keystall.query(`update stores set is_test_method_on = true where url = 'demo'`))

/** A coupon of the demo store that nobody else uses. */
async function aCoupon(keystall: Keystall): Promise<string> {
  met += 1
  const name = `TEN${process.pid}x${met}`
  await keystall.query(
    `insert into coupons (store_id, id, name, percentage_decrease) select id, gen_random_uuid(), $1, 10 from stores where url = 'demo'`,
    [name],
  )
  return name
}

/** Finds two products, one of them with a file, and puts both into the basket. */
async function fillBasket(page: Page, keystall: Keystall): Promise<void> {
  await page.goto(keystall.storeUrl('demo'))
  await page.getByLabel('Search this store').fill('garden')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/q=garden/)
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).click()
  await page.getByLabel('Quantity').fill('2')
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(page.getByRole('status')).toContainText('is in your basket')
  await page.goto(`${keystall.storeUrl('demo')}/?tag=writing`)
  await page.getByRole('link', { name: 'Inkwell 3 with licence' }).click()
  await page.getByRole('button', { name: 'Buy now' }).click()
  await expect(page).toHaveURL(/\/basket$/)
}

async function placeOrder(page: Page, coupon: string): Promise<void> {
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Coupon', { exact: true }).fill('WRONG')
  await page.getByRole('button', { name: 'Apply coupon' }).click()
  await expect(page.getByText('This coupon cannot be used')).toBeVisible()
  await page.getByLabel('Coupon', { exact: true }).fill(coupon)
  await page.getByRole('button', { name: 'Apply coupon' }).click()
  await expect(page.getByText(`${coupon} is applied`)).toBeVisible()
  // 2 × 9.50 + 39 less a tenth.
  await expect(page.locator('dd.total')).toHaveText('$52.20')
  await expect(page.getByLabel('E-mail')).toHaveValue('ada@example.com')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('heading', { name: 'To pay: $52.20' })).toBeVisible()
}

async function payByTest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('alert')).toContainText('declined')
  await page.getByRole('button', { name: 'Pay with play money' }).click()
  await expect(page.getByRole('heading', { name: 'Delivered' })).toBeVisible()
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}

/** The seller's part, by the API. */
async function answerTicket(keystall: Keystall, subject: string, message: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${keystall.keyOf('demo@keystall.localhost')}`,
    'content-type': 'application/json',
  }
  const call = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${keystall.apiUrl}${path}`, { headers, ...init })).json() as Promise<{ data: Listed[] }>
  const store = await fetch(`${keystall.apiUrl}/stores/demo/view`)
  const { data } = (await store.json()) as { data: { id: string } }
  const { data: tickets } = await call(`/stores/${data.id}/tickets/1`)
  const ticket = tickets.find((each) => each.subject === subject)
  const answered = { method: 'PUT', body: JSON.stringify({ message }) }
  await call(`/stores/${data.id}/tickets/${ticket?.id}`, answered)
}

interface Listed {
  id: string
  subject: string
}

async function takeTheWholeWay(page: Page, keystall: Keystall): Promise<void> {
  await fillBasket(page, keystall)
  await placeOrder(page, await aCoupon(keystall))
  await payByTest(page)

  await expect(page.getByText(/GARDEN-/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Reveal 3 items' }).click()
  await expect(page.getByText(/^GARDEN-/)).toHaveCount(2)
  await expect(page.getByText(/^INKWELL-/)).toHaveCount(1)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download inkwell-3-read-me.txt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('inkwell-3-read-me.txt')
  expect(await readFile(await download.path(), 'utf8')).toContain('Inkwell 3')

  await page.getByText('Open a ticket').click()
  await page.getByLabel('Subject').fill('The second key')
  await page.getByLabel('Message').fill('It says: already used.')
  await page.getByRole('button', { name: 'Open ticket' }).click()
  const ticket = page.getByRole('article', { name: 'Ticket: The second key' })
  await expect(ticket.getByText('It says: already used.')).toBeVisible()
  await ticket.getByLabel('Reply').fill('Here is a picture of it.')
  await ticket.getByRole('button', { name: 'Send reply' }).click()
  await expect(ticket.getByText('Here is a picture of it.')).toBeVisible()
  await answerTicket(keystall, 'The second key', 'Here is another one.')
  await page.reload()
  await expect(ticket.getByText('Here is another one.')).toBeVisible()

  await page.getByText('Review Hollow Garden').click()
  const words = `Quiet and good, ${Date.now()}`
  const review = page.locator('details[open]')
  await review.getByLabel('5 stars').check()
  await review.getByLabel('What was good, what was not').fill(words)
  await review.getByRole('button', { name: 'Publish review' }).click()
  await expect(page.getByText(words)).toBeVisible()
  await page.goto(`${keystall.storeUrl('demo')}/reviews`)
  await expect(page.getByText(words)).toBeVisible()
}

test('from the first look to the review', async ({ page, keystall }) => {
  const elsewhere: string[] = []
  const own = new URL(keystall.storeUrl('demo')).host
  page.on('request', (request) => {
    if (new URL(request.url()).host !== own) elsewhere.push(request.url())
  })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) errors.push(message.text())
  })
  await takeTheWholeWay(page, keystall)
  expect(elsewhere).toEqual([])
  expect(errors).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the whole way, and nothing is wider than the screen', async ({ page, keystall }) => {
    await page.goto(keystall.storeUrl('demo'))
    expect(await widthOf(page)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().click()
    await expect(page.locator('.bar button')).toBeInViewport()
    await page.locator('.bar button').click()
    await expect(page).toHaveURL(/\/basket$/)
    expect(await widthOf(page)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible()
    await takeTheWholeWay(page, keystall)
  })
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('up to the paid order and its keys', async ({ page, keystall }) => {
    await fillBasket(page, keystall)
    await placeOrder(page, await aCoupon(keystall))
    await payByTest(page)
    await page.getByRole('button', { name: 'Reveal 3 items' }).click()
    await expect(page.getByText(/^GARDEN-/)).toHaveCount(2)
  })
})

test('the order page hears of a payment made elsewhere, by a stream or by asking', async ({
  page,
  browser,
  keystall,
}) => {
  await fillBasket(page, keystall)
  await page.getByLabel('E-mail').fill('two@example.com')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('heading', { name: /^To pay/ })).toBeVisible()
  const [asking, paying] = [await browser.newPage(), await browser.newPage()]
  await asking.route('**/events?*', (route) => route.fulfill({ status: 503 }))
  const refused = asking.waitForResponse('**/events?*')
  await asking.goto(page.url())
  expect((await refused).status()).toBe(503)
  await paying.goto(page.url())
  await paying.getByRole('button', { name: 'Pay with play money' }).click()
  await expect(paying.getByRole('heading', { name: 'Delivered' })).toBeVisible()
  for (const each of [page, asking]) {
    await expect(each.getByRole('heading', { name: 'Delivered' })).toBeVisible()
    // In place: nobody has to look for where they were.
    expect(await each.evaluate<number>('performance.getEntriesByType("navigation").length')).toBe(1)
  }
  await Promise.all([asking.close(), paying.close()])
})

test('a product page is small', async ({ page, keystall }) => {
  await page.goto(keystall.storeUrl('demo'))
  const path = await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().getAttribute('href')
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  const kinds = new Map<string, string>()
  const bytes = { script: 0, all: 0 }
  client.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind === 'Image') return
    bytes.all += encodedDataLength
    if (kind === 'Script') bytes.script += encodedDataLength
  })
  await page.goto(`${keystall.storeUrl('demo')}${path}`, { waitUntil: 'networkidle' })
  expect(bytes.all).toBeGreaterThan(2000)
  expect(bytes.all).toBeLessThan(40_000)
  expect(bytes.script).toBeGreaterThan(500)
  expect(bytes.script).toBeLessThan(12_000)
})
