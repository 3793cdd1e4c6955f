import { expect } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { enter, signIn } from './people.ts'
import { openShop } from './shops.ts'

test.use({ actionTimeout: 10_000 })
test.setTimeout(120_000)

test('home shows figures with their change, and what needs the seller', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall, { items: 1 })
  await page.goto(keystall.dashUrl)
  await expect(page.getByText('Nothing waits for you.')).toBeVisible()
  await expect(page.getByText('The first order appears here by itself.')).toBeVisible()
  const order = await shop.buy('anna@example.com')
  await shop.asBuyer(order, '/tickets', { subject: 'Hello', message: 'Are you there?' })
  await expect(page.getByText('1 ticket waits for your answer')).toBeVisible()
  await expect(page.getByText('1 product is sold out')).toBeVisible()
  await expect(page.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  const revenue = page.getByRole('radio', { name: /Revenue/ })
  await expect(revenue.locator('xpath=..')).toContainText('$12.50')
  await expect(revenue.locator('xpath=..')).toContainText('100 %')

  // The chart is read by the keyboard, and holds its table.
  const chart = page.getByRole('slider', { name: 'Revenue, day by day' })
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', /\$12\.50/)
  await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', /\$0\.00/)
  await page.getByRole('radio', { name: /Orders/ }).check({ force: true })
  await expect(page.getByRole('slider', { name: 'Orders, day by day' })).toBeVisible()
  await page.getByRole('radio', { name: '7 days' }).check({ force: true })
  await expect(page).toHaveURL(/days=7/)
  await expect(page.getByRole('table', { name: 'Orders, day by day' }).getByRole('row')).toHaveCount(9)
  await expectAccessible(page)
})

test('the palette finds pages, orders and acts; keys lead to pages; being offline is told', async ({
  page,
  context,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  await shop.buy('anna@example.com')
  await page.goto(keystall.dashUrl)
  await expect(page.getByRole('heading', { name: 'Newest orders' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /Search pages/ })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('cou')
  await expect(page.getByRole('option', { name: 'Create coupon' })).toBeVisible()
  await field.fill('anna')
  await expect(page.getByRole('option', { name: /anna@example\.com.*Delivered/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}$/)
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('zzzz')
  await expect(page.getByText('Nothing is called that.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/customers$/)

  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are offline.')).toBeHidden()
})

test('a member with few scopes sees only what they may', async ({ page, browser, keystall }) => {
  const shop = await openShop(page, keystall)
  const order = await shop.buy('anna@example.com')
  const elsewhere = await browser.newPage()
  const member = await enter(elsewhere, keystall)
  await keystall.query(
    `insert into store_members (store_id, user_id, scopes) select $1, id, '{ViewOrders}' from users where email_address = $2`,
    [shop.storeId, member.emailAddress],
  )
  await elsewhere.goto(`${shop.at}/orders/${order.id}`)
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('anna@example.com')
  await expect(elsewhere.getByRole('button', { name: 'Refund' })).toBeHidden()
  await expect(elsewhere.getByRole('link', { name: 'Customers' })).toBeVisible()
  await expect(elsewhere.getByRole('link', { name: 'Tickets' })).toBeHidden()
  await expect(elsewhere.getByRole('link', { name: 'Coupons' })).toBeHidden()
  await elsewhere.goto(`${shop.at}/tickets`)
  await expect(elsewhere.getByRole('alert')).toContainText('You may not see this')
  await elsewhere.close()
})

test('a sale is heard and, when the dashboard is not in sight, shown by the desktop', async ({ page, keystall }) => {
  // What the browser itself does with the two is not ours to test, and without a window it has no notifications.
  await page.addInitScript(`
    window.told = { notes: 0, notifications: [] }
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function () { told.notes += 1; return make.call(this) }
    Notification = class extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(words) { super(); told.notifications.push(words) }
    }
  `)
  const told = () => page.evaluate<{ notes: number; notifications: string[] }>('told')
  const shop = await openShop(page, keystall)
  const listening = page.waitForResponse(/\/events\/live/)
  await page.goto(`${keystall.dashUrl}/account`)
  await listening
  await shop.buy('anna@example.com')
  await expect(page.getByText('New order: $12.50')).toBeVisible()
  expect(await told()).toEqual({ notes: 0, notifications: [] })

  await page.getByRole('checkbox', { name: 'Play a sound' }).check()
  await page.getByRole('checkbox', { name: 'Show a desktop notification' }).click()
  await expect(page.getByRole('checkbox', { name: 'Show a desktop notification' })).toBeChecked()
  await expect.poll(told).toEqual({ notes: 2, notifications: [] })
  await shop.buy('bert@example.com')
  await expect.poll(told).toEqual({ notes: 4, notifications: [] })

  await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`)
  await shop.buy('cleo@example.com')
  await expect.poll(told).toEqual({ notes: 6, notifications: ['New order: $12.50'] })
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Play a sound' })).toBeChecked()
})

test('on a phone the bar leads everywhere, and long lists are cards', async ({ browser, page, keystall }) => {
  const shop = await openShop(page, keystall)
  await shop.buy('anna@example.com')
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const hand = await phone.newPage()
  await hand.goto(`${keystall.dashUrl}/sign-in`)
  await signIn(hand, shop.emailAddress)
  await hand.getByRole('link', { name: 'Orders' }).tap()
  await expect(hand.getByRole('link', { name: 'anna@example.com' })).toBeVisible()
  expect(await hand.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await expectAccessible(hand)
  await hand.getByRole('button', { name: 'More' }).tap()
  await hand.getByRole('menuitem', { name: 'Analytics' }).tap()
  await expect(hand.getByRole('heading', { name: 'Analytics' })).toBeVisible()
  await phone.close()
})
