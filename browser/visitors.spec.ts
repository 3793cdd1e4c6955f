import { expect } from '@playwright/test'
import { expectSound } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { linkInMail } from './people.ts'

test.beforeEach(({ keystall }) => keystall.query(`update stores set is_test_method_on = true where url = 'demo'`))

/** By the calls that a store's own page would make. */
async function anOrder(keystall: Keystall, emailAddress: string): Promise<void> {
  const call = async <Data>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Data> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${keystall.apiUrl}${path}`, {
      ...sent,
      headers: { 'content-type': 'application/json', ...headers },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (JSON.parse(await answer.text()) as { data: Data }).data
  }
  const store = await call<{ id: string; products: { id: string; name: string }[] }>('/stores/demo/view')
  const product = store.products.find(({ name }) => name.startsWith('Hollow Garden'))
  const items = [{ productId: product?.id, quantity: 1 }]
  const form = { items, gateway: 'test', emailAddress }
  const [placed] = await call<{ order: { id: string; key: string } }[]>(`/stores/${store.id}/checkout`, form)
  const { id = '', key = '' } = placed?.order ?? {}
  await call(`/orders/${id}/test-payment`, { outcome: 'paid' }, { 'x-order-key': key })
}

test('a buyer signs in by a link in a mail and finds the order', async ({ page, keystall }) => {
  const emailAddress = `portal${process.pid}@example.com`
  await anOrder(keystall, emailAddress)
  const store = keystall.storeUrl('demo')
  await page.goto(`${store}/`)
  await page.getByRole('link', { name: 'Your orders' }).click()
  await expect(page.getByRole('heading', { name: 'Your orders' })).toBeVisible()
  await page.getByLabel('E-mail').fill(emailAddress)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Look into your mailbox' })).toBeVisible()
  const link = await linkInMail(keystall, emailAddress, '/portal/enter?token=', store)
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(`Signed in as ${emailAddress}`)).toBeVisible()
  await page.getByRole('link', { name: /Hollow Garden/ }).click()
  await expect(page.getByRole('heading', { name: 'Delivered' })).toBeVisible()
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Receipt as PDF' }).click(),
  ])
  expect(receipt.suggestedFilename()).toMatch(/^Receipt-.*\.pdf$/)
  await page.goto(`${store}/portal`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
})

test('from the marketplace to a product of a store', async ({ page, keystall }) => {
  await page.goto(keystall.apiUrl)
  await page.getByLabel('Search all stores').fill('garden')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/q=garden/)
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect(page).toHaveURL(/sort=newest/)
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).click()
  await expect(page).toHaveURL(/^http:\/\/demo\.localhost:\d+\/product\//)
  await expect(page.getByRole('heading', { name: 'Hollow Garden (game key)' })).toBeVisible()
})

test('a picture opens in full by keyboard, and closes', async ({ page, keystall }) => {
  await page.goto(keystall.storeUrl('demo'))
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().click()
  await expect(page.getByRole('heading', { name: 'Hollow Garden (game key)' })).toBeVisible()
  // The script that opens it has come by then.
  await page.waitForLoadState()
  await page
    .getByRole('link', { name: /in full size/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('dialog.zoom img')).toBeVisible()
  await expectSound(page, 'a picture in full')
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog.zoom')).toHaveCount(0)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false, locale: 'fr-FR' })

  test('the language is the browser’s, and another is one link away', async ({ page, keystall }) => {
    await page.goto(`${keystall.storeUrl('demo')}/basket`)
    await expect(page.getByRole('heading', { name: 'Votre panier est vide' })).toBeVisible()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { name: 'Ihr Warenkorb ist leer' })).toBeVisible()
    await page.getByRole('link', { name: 'Produkte ansehen' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  })
})
