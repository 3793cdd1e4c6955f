import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { enter } from './people.ts'
import { openShop } from './shops.ts'

async function asStaff(page: Page, keystall: Keystall): Promise<Page> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('there is a browser')
  const staff = await context.newPage()
  const { emailAddress } = await enter(staff, keystall)
  await keystall.query('update users set is_staff = true where email_address = $1', [emailAddress])
  await staff.goto(keystall.dashUrl)
  return staff
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).first().getByRole('link', { name })

async function say(page: Page, act: string, words: string, done: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(words)
  await dialog.getByRole('button', { name: act }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(done).first()).toBeVisible()
}

test('staff verify, hold, decide, close and switch off, and all of it is in the log', async ({ page, keystall }) => {
  test.slow()
  const shop = await openShop(page, keystall)
  const order = await shop.buy('angry@example.com')
  await shop.asBuyer(order, '/reviews', { productId: shop.productId, rating: 1, reason: 'Never again' })
  const [review] = await shop.api<{ id: string }[]>('GET', `/stores/${shop.storeId}/seller-reviews/1`)
  await shop.api('DELETE', `/stores/${shop.storeId}/reviews/${review?.id}`, { reason: 'Not a customer of ours' })
  const reported = await fetch(`${keystall.apiUrl}/stores/${shop.storeId}/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'fraud', reason: 'Paid a week ago, got nothing' }),
  })
  expect(reported.status).toBe(200)
  const { name } = await shop.api<{ name: string }>('GET', `/stores/${shop.storeId}`)

  const staff = await asStaff(page, keystall)
  await section(staff, 'All stores').click()
  await staff.getByLabel('Name, label or seller').fill(shop.emailAddress)
  await staff.getByRole('button', { name: `Verify ${name}` }).click()
  const row = staff.getByRole('row').filter({ has: staff.getByRole('link', { name, exact: true }) })
  await expect(row.getByText('Verified')).toBeVisible()
  await staff.getByRole('link', { name, exact: true }).click()
  await staff.getByRole('button', { name: 'Put on hold: Orchard key' }).click()
  await say(staff, 'Put on hold', 'A rights holder asked', 'Product on hold')
  await expect(staff.getByRole('button', { name: 'Release: Orchard key' })).toBeVisible()

  await section(staff, 'Flagged reviews').click()
  await expect(staff.getByText('Not a customer of ours')).toBeVisible()
  await expectAccessible(staff)
  await staff.getByRole('button', { name: 'Keep the review of Orchard key' }).click()
  await say(staff, 'Keep review', 'An opinion', 'Decision made')
  await expect(staff.getByText('Not a customer of ours')).toHaveCount(0)

  await section(staff, 'Reports').click()
  await staff
    .getByRole('button', { name: `Close the report about ${name}` })
    .first()
    .click()
  await expectAccessible(staff)
  await say(staff, 'Close report', '', 'Report closed')

  await section(staff, 'All accounts').click()
  await staff.getByLabel('Name or e-mail address').fill(shop.emailAddress)
  const seller = shop.emailAddress.replace(/@.*/, '')
  await staff.getByRole('button', { name: `Switch off: ${seller}`, exact: true }).click()
  await say(staff, 'Switch account off', 'Sells what is not theirs', 'Account off')
  await page.goto(shop.at)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  await section(staff, 'Staff log').click()
  const log = staff.getByRole('table')
  for (const why of ['A rights holder asked', 'Sells what is not theirs']) {
    await expect(log.getByText(why).first()).toBeVisible()
  }
  await expectAccessible(staff)
  await staff.context().close()
})
