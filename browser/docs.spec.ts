import { spawn } from 'node:child_process'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { test } from './keystall.ts'

test.beforeEach(({ keystall }) => keystall.query(`update stores set is_test_method_on = true where url = 'demo'`))

test('the documentation is searched by keyboard, and the language stays chosen', async ({ keystall, page }) => {
  await page.goto(`${keystall.apiUrl}/docs`)
  await expect(page.getByRole('heading', { name: 'Build on Keystall' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('/')
  await page.keyboard.type('create a coupon')
  await expect(page.getByRole('option').first()).toContainText('Create a coupon')
  await page.keyboard.press('Enter')
  const coupon = page.locator('#createCoupon')
  await expect(coupon.getByRole('heading', { name: 'Create a coupon' })).toBeVisible()
  await coupon.getByText('Python', { exact: true }).click()
  await expect(coupon.locator('pre.python')).toBeVisible()
  await page.goto(`${keystall.apiUrl}/docs/reference/reviews`)
  await expect(page.locator('pre.python').first()).toBeVisible()
  await expectAccessible(page)
})

test('a storefront of one’s own sells through the public endpoints', async ({ keystall, page }) => {
  const port = 3000 + (process.pid % 5000)
  const child = spawn(process.execPath, ['examples/custom-storefront/serve.js'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  try {
    const address = `http://localhost:${port}/?api=${encodeURIComponent(keystall.apiUrl)}&store=demo`
    await expect(async () => {
      await page.goto(address)
    }).toPass()
    await page.locator('#products button:enabled').first().click()
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await page.waitForURL(/\/checkout\//)
    await expect(page.getByRole('main')).toBeVisible()
  } finally {
    child.kill()
  }
})

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html.slice(0, 160)}`)).toEqual([])
  }
}
