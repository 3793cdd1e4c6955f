import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { type Keystall, test } from './keystall.ts'
import { linkInMail } from './people.ts'

test.beforeEach(({ keystall }) => keystall.query(`update stores set is_test_method_on = true where url = 'demo'`))

async function seriousFaults(page: Page) {
  // Its types come from another release of the same library.
  const { violations } = await new AxeBuilder({ page: page as never }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

async function anOrder(page: Page, keystall: Keystall, emailAddress: string): Promise<void> {
  await page.goto(keystall.storeUrl('demo'))
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().click()
  await page.getByRole('button', { name: 'Buy now' }).first().click()
  await page.getByLabel('E-mail').fill(emailAddress)
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.getByRole('button', { name: 'Pay with play money' }).click()
  await expect(page.getByRole('heading', { name: 'Delivered' })).toBeVisible()
}

test('a buyer signs in by a link in a mail and finds the order', async ({ page, keystall }) => {
  const emailAddress = `portal${process.pid}@example.com`
  await anOrder(page, keystall, emailAddress)
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
  await page.getByRole('link', { name: 'Newest' }).click()
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).click()
  await expect(page).toHaveURL(/^http:\/\/demo\.localhost:\d+\/product\//)
  await expect(page.getByRole('heading', { name: 'Hollow Garden (game key)' })).toBeVisible()
})

test('a picture opens in full by keyboard, and closes', async ({ page, keystall }) => {
  await page.goto(keystall.storeUrl('demo'))
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().click()
  await page
    .getByRole('link', { name: /in full size/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('dialog.zoom img')).toBeVisible()
  expect(await seriousFaults(page)).toEqual([])
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
