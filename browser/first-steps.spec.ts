import { expect } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { openStore, signUp } from './people.ts'
import { openShop } from './shops.ts'

test.use({ actionTimeout: 15_000 })
// As a person does it, page by page: long on a busy machine.
test.slow()

test('a newcomer is led from the sign-up to the first test sale, and then no more', async ({ page, keystall }) => {
  await signUp(page, keystall)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('0 of 5 done')
  await expectAccessible(page)
  const label = await openStore(page, 'First stall')
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

test('the first load of a seller has less than 180 KB of compressed script', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  await shop.buy('anna@example.com')
  await page.goto(keystall.dashUrl)
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => Number(Object(entry)['encodedBodySize'])),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${sizes.length} scripts, ${total} bytes as they were sent`)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(180_000)
})
