import { expect, type Page } from '@playwright/test'
import { test } from './keystall.ts'
import { openShop } from './shops.ts'

test.setTimeout(240_000)

/** A page that asks the server for something, and words that it shows once it has been answered. */
type Visit = readonly [path: string, words: string]

const failing = '**/api/**'

/** Within the page that is there: what is asked anew is only what the new page needs. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
}

/** Each says that it could not be loaded, and loads when asked again: by keyboard. */
async function expectRecovery(page: Page, visits: readonly Visit[]): Promise<void> {
  for (const [path, words] of visits) {
    await test.step(path, async () => {
      // A failure that is not worth trying again by itself: the others are told only seconds later.
      const json = { success: false, code: 'ValidationError', message: 'Not now', invalidFields: [] }
      await page.route(failing, (route) => route.fulfill({ status: 400, json }))
      await go(page, path)
      const main = page.getByRole('main')
      await expect(main.getByRole('alert').first()).toContainText('This could not be loaded')
      await page.unroute(failing)
      // A page of several parts asks for each of them.
      await expect(async () => {
        const again = main.getByRole('button', { name: 'Try again' }).first()
        if (await again.isVisible()) await again.press('Enter')
        await expect(again).toHaveCount(0, { timeout: 1000 })
        await expect(main.getByText(words).first()).toBeVisible({ timeout: 1000 })
      }).toPass({ timeout: 15_000 })
    })
  }
}

test('a new store: every page fails in words, loads when asked again, and says what to do next', async ({
  page,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  const at = `/stores/${shop.storeId}`
  await page.goto(`${shop.at}/coupons/new`)
  await expect(page.getByRole('heading', { level: 1, name: 'Create a coupon' })).toBeVisible()
  await expectRecovery(page, [
    [`${at}/coupons`, 'No coupons yet'],
    [`${at}/product-groups`, 'No groups yet'],
    [`${at}/products/${shop.productId}/items`, 'ORCHARD-0001'],
    [`${at}/customers`, 'No customers yet'],
    [`${at}/subscriptions`, 'No subscriptions yet'],
    [`${at}/blocked`, 'Nobody is blocked'],
    [`${at}/tickets`, 'No tickets yet'],
    [`${at}/tickets/canned-replies`, 'No replies yet'],
    [`${at}/reviews`, 'No reviews yet'],
    [`${at}/orders`, 'No orders yet'],
    [`${at}/analytics`, 'Visitors'],
    [`${at}/members`, 'Invite'],
    [`${at}/audit-log`, 'Create a product'],
    [`${at}/privacy`, 'Addresses and browsers'],
    [`${at}/payment-methods`, 'Account transfer'],
    [`${at}/settings/faq`, 'No questions yet'],
    [`${at}/settings/domain`, 'Set domain'],
    [`${at}/settings/webhooks`, 'No webhooks yet'],
    ['/apps', 'No apps yet'],
    ['/connected-apps', 'Nothing connected'],
    ['/keys', 'No keys yet'],
  ])
})

test('the staff’s pages fail in words, and load when asked again', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  await keystall.query('update users set is_staff = true where email_address = $1', [shop.emailAddress])
  await page.goto(`${shop.at}/coupons/new`)
  await expect(page.getByRole('heading', { level: 1, name: 'Create a coupon' })).toBeVisible()
  await expectRecovery(page, [
    ['/staff/reports', 'Reports'],
    ['/staff/flagged-reviews', 'Flagged reviews'],
    ['/staff/stores', 'All stores'],
    [`/staff/stores/${shop.storeId}`, 'Orchard key'],
    ['/staff/users', 'All accounts'],
    ['/staff/log', 'Staff log'],
  ])
})
