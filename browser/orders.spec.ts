import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { openShop } from './shops.ts'

test.use({ actionTimeout: 10_000 })
test.setTimeout(120_000)

test('orders are found by filters that the address keeps, and taken home as CSV', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  await page.goto(`${shop.at}/orders`)
  await expect(page.getByText('No orders yet')).toBeVisible()
  await expectAccessible(page)

  const anna = await shop.buy('anna@example.com')
  await shop.buy('bert@example.com', 'none')
  // It came by itself: nobody loaded the page anew.
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  await expect(page.getByRole('status').getByText('New order: $12.50')).toBeVisible()
  await expect(page.getByRole('link', { name: 'bert@example.com' })).toBeVisible()

  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('menuitemradio', { name: 'Delivered' }).click()
  await expect(page).toHaveURL(/status=Delivered/)
  await expect(page.getByRole('link', { name: 'bert@example.com' })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Status: Delivered' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  // The same by the keyboard alone: arrows go round, a letter leads to its item, Escape gives the button back.
  const status = page.getByRole('button', { name: 'Status', exact: true })
  await status.press('ArrowDown')
  const choices = page.getByRole('menuitemradio')
  await expect(choices.first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(choices.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('d')
  await expect(page.getByRole('menuitemradio', { name: /^D/ }).first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(status).toBeFocused()
  await expect(status).toHaveAttribute('aria-expanded', 'false')
  // Where there is little room it is scrolled, and stays so.
  await page.setViewportSize({ width: 1280, height: 320 })
  await status.press('ArrowUp')
  await expect(choices.first()).toBeFocused()
  await page.keyboard.press('End')
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))')
  await expect(choices.last()).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(status).toBeFocused()
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.keyboard.press('/')
  await page.keyboard.type('be')
  await expect(page).toHaveURL(/query=be/)
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeHidden()
  await page.getByRole('searchbox').fill(anna.id)
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  await page.getByRole('searchbox').fill('nobody')
  await page.getByRole('button', { name: 'Remove every filter' }).click()
  await expect(page.getByRole('link', { name: 'bert@example.com' })).toBeVisible()

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toContain(anna.id)
})

test('an order is delivered by hand, its item replaced, its mail sent again, and refunded in part', async ({
  page,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  const order = await shop.buy('anna@example.com', 'none')
  await page.goto(`${shop.at}/orders`)
  // By the keyboard alone: to the first row, and in.
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('anna@example.com')
  await expect(page.getByText('Not paid')).toBeVisible()

  await page.getByRole('button', { name: 'Deliver order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver order' }).click()
  await expect(page.getByText('Handed over', { exact: true })).toBeVisible()
  await expect(page.getByText('ORCHARD-0000')).toBeHidden()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('ORCHARD-0000')).toBeVisible()
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('button', { name: 'Replace item' }).click()
  await expect(page.getByText('ORCHARD-0001')).toBeVisible()
  await expect(page.getByText('Item replaced').last()).toBeVisible()
  await page.getByRole('button', { name: 'Resend mail' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend mail' }).click()
  await expect(page.getByText('Mail sent', { exact: true })).toBeVisible()

  const paid = await shop.buy('bert@example.com')
  await shop.asBuyer(paid, '/reveal', {})
  await page.goto(`${shop.at}/orders/${paid.id}`)
  await expect(page.getByRole('heading', { name: 'Seen by the buyer' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel('Amount in USD').fill('999')
  await page.getByRole('button', { name: 'Refund order' }).click()
  await expect(page.getByLabel('Amount in USD')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Amount in USD').fill('2.5')
  await page.getByLabel('Reason').fill('good will')
  await page.getByRole('button', { name: 'Refund order' }).click()
  await expect(page.getByText('Refunded · $2.50')).toBeVisible()
  await expect(page.getByText('good will')).toBeVisible()
  await expect(page.getByRole('cell', { name: '-$2.50' })).toBeVisible()
  expect(order.id).not.toBe(paid.id)
})

test('an unpaid order is cancelled, an undeliverable one tried again, and what is not there is told', async ({
  page,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  const unpaid = await shop.buy('anna@example.com', 'none')
  await page.goto(`${shop.at}/orders/${unpaid.id}`)
  await page.getByRole('button', { name: 'More acts' }).click()
  await page.getByRole('menuitem', { name: 'Cancel order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText('Cancelled').first()).toBeVisible()

  const stuck = await shop.buy('bert@example.com')
  await keystall.query(`update orders set status = 'Undeliverable', delivered_at = null where id = $1`, [stuck.id])
  await page.goto(`${keystall.dashUrl}/`)
  await page.getByRole('link', { name: '1 order could not be delivered' }).click()
  await page.getByRole('link', { name: 'bert@example.com' }).click()
  await page.getByRole('button', { name: 'Try delivery again' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Delivered').first()).toBeVisible()

  await page.goto(`${shop.at}/orders/01890000-0000-7000-8000-000000000000`)
  await expect(page.getByRole('alert')).toContainText('This is not here')
  await page.goto(`${keystall.dashUrl}/stores/01890000-0000-7000-8000-000000000000/orders`)
  await expect(page.getByRole('heading', { name: 'No such store' })).toBeVisible()
})

test('when the server does not answer, the list says so and tries again', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  await page.route('**/seller-orders/**', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"Something broke"}' }),
  )
  await page.goto(`${shop.at}/orders`)
  await expect(page.getByRole('alert')).toContainText('This could not be loaded')
  await page.unroute('**/seller-orders/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No orders yet')).toBeVisible()
})
