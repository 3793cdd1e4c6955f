import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { aLabel, enter, signUp } from './people.ts'
import { openShop } from './shops.ts'

test.use({ actionTimeout: 15_000 })
// As a person does it, page by page: long on a busy machine.
test.slow()

test('a newcomer is led from the sign-up to the first test sale, and then no more', async ({ page, keystall }) => {
  await signUp(page, keystall)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('0 of 5 done')
  await expectAccessible(page)
  const label = aLabel()
  await page.getByRole('button', { name: 'Open a store' }).click()
  await page.getByLabel('Name').fill('First stall')
  await page.getByLabel('Label').fill(label)
  await page.getByRole('button', { name: 'Open store' }).click()
  await expect(page.getByText('First stall is open')).toBeVisible()
  // On a database of its own a store does not take play money by itself.
  await keystall.query(`update stores set is_test_method_on = true where url = $1`, [label])
  await steps.getByRole('link', { name: 'Create product' }).click()
  await page.getByLabel('Name').fill('First key')
  await page.getByLabel('Price').fill('5')
  await page.getByLabel('Items, one a line').fill('FIRST-KEY-1\nFIRST-KEY-2')
  await page.getByRole('button', { name: 'Create product' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'First key' })).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(steps).toContainText('4 of 5 done')

  const opening = page.waitForEvent('popup')
  await steps.getByRole('link', { name: 'Open the store' }).click()
  const store = await opening
  await store.getByRole('button', { name: 'Buy now' }).first().click()
  await store.getByLabel('E-mail').fill('buyer@example.com')
  await store.getByRole('button', { name: 'Place order' }).click()
  await store.getByRole('button', { name: 'Pay with play money' }).click()
  await expect(store.getByText(/delivered/i).first()).toBeVisible()
  await page.bringToFront()
  await expect(steps).toBeHidden({ timeout: 15_000 })
})

const firstLoadBytesMax = 165_000

/** As they were sent, compressed. */
async function scriptBytes(page: Page): Promise<number> {
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => Number(Object(entry)['encodedBodySize'])),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${sizes.length} scripts, ${total} bytes as they were sent`)
  expect(total).toBeGreaterThan(50_000)
  return total
}

test('the first load of a newcomer and of a seller has less than 165 KB of compressed script', async ({
  page,
  browser,
  keystall,
}) => {
  await enter(page, keystall)
  await page.goto(keystall.dashUrl)
  await expect(page.getByRole('region', { name: 'First steps' })).toContainText('0 of 5 done')
  await expect(page.getByRole('link', { name: /Make a key/ })).toBeVisible()
  expect(await scriptBytes(page)).toBeLessThan(firstLoadBytesMax)

  // A browser of their own: what this one has kept would count as nothing.
  const seller = await browser.newPage()
  const shop = await openShop(seller, keystall)
  await shop.buy('anna@example.com')
  await seller.goto(keystall.dashUrl)
  await expect(seller.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  expect(await scriptBytes(seller)).toBeLessThan(firstLoadBytesMax)
  await seller.close()
})
