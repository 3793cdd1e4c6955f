import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { openShop, type Shop } from './shops.ts'

test.use({ actionTimeout: 15_000 })
// Every page in both themes: long on a busy machine.
test.setTimeout(300_000)

/** A page's path, its title, and where that is the one of other pages too, words that only it has. */
type Visit = readonly [path: string, title: string, words?: string]

/** Within the page that is there, as its links lead: quicker than to load it anew each time. */
async function visit(page: Page, [path, title, words]: Visit): Promise<void> {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
  await expect(page).toHaveTitle(`${title} · Keystall`)
  if (words !== undefined) await expect(page.getByRole('main').getByText(words).first()).toBeVisible()
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
}

async function expectAllAccessible(page: Page, visits: readonly Visit[]): Promise<void> {
  for (const each of visits) {
    await test.step(each.join(' '), async () => {
      await visit(page, each)
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      expect.soft(await page.evaluate('document.documentElement.scrollWidth'), each[0]).toBe(390)
      await page.setViewportSize({ width: 1280, height: 800 })
    })
  }
}

/** Something of everything, so that no list is empty. */
async function fill(shop: Shop) {
  const at = `/stores/${shop.storeId}`
  const post = <Data>(path: string, body: unknown) => shop.api<Data>('POST', `${at}${path}`, body)
  const order = await shop.buy('anna@example.com')
  await shop.asBuyer(order, '/tickets', { subject: 'Broken', message: 'Are you there?' })
  await shop.asBuyer(order, '/reviews', { productId: shop.productId, rating: 2, reason: 'Slow' })
  const [coupon, group, webhook] = await Promise.all([
    post<{ id: string }>('/coupons', { name: 'SPRING', percentageDecrease: 10 }),
    post<{ id: string }>('/product-groups', { name: 'All keys' }),
    post<{ id: string }>('/webhooks', { url: 'https://hooks.example.com/keystall' }),
    post('/blocked-customers', { kind: 'email', value: '@example.org', reason: 'Charge backs' }),
    post('/members/invitations', { emailAddress: 'invited@example.com', scopes: ['ViewOrders'] }),
    shop.api('PUT', `${at}/faq`, { title: 'How fast?', description: 'At once.' }),
    shop.api('PUT', `${at}/tickets/canned-replies`, { replies: [{ title: 'Another key', message: 'Here it is.' }] }),
  ])
  const first = async (path: string) => (await shop.api<{ id: string }[]>('GET', `${at}${path}`))[0]?.id ?? ''
  return { at, order, coupon, group, webhook, ticket: await first('/tickets/1'), customer: await first('/customers/1') }
}

test('the pages of what is sold, and to whom', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  const { at, order, coupon, group, ticket, customer } = await fill(shop)
  await page.goto(`${shop.at}/coupons`)
  await expectAllAccessible(page, [
    [`${at}/coupons`, 'Coupons', 'SPRING'],
    [`${at}/coupons/new`, 'Create a coupon'],
    [`${at}/coupons/${coupon.id}`, 'SPRING'],
    [`${at}/products/new`, 'Create product'],
    [`${at}/products/${shop.productId}/items`, 'Items of Orchard key', 'ORCHARD-0001'],
    [`${at}/product-groups`, 'Products', 'All keys'],
    [`${at}/product-groups/${group.id}`, 'All keys'],
    [`${at}/customers`, 'Customers', 'anna@example.com'],
    [`${at}/customers/${customer}`, 'anna@example.com', 'Orchard key'],
    [`${at}/subscriptions`, 'Subscriptions'],
    [`${at}/blocked`, 'Block list', '@example.org'],
    [`${at}/tickets`, 'Tickets', 'Broken'],
    [`${at}/tickets/${ticket}`, 'Broken', 'Are you there?'],
    [`${at}/tickets/canned-replies`, 'Canned replies'],
    [`${at}/reviews`, 'Reviews', 'Slow'],
    [`${at}/analytics?days=90`, 'Analytics', 'In proportion'],
    [`${at}/orders?query=nobody`, 'Orders', 'No order matches'],
    [`${at}/orders`, 'Orders', 'anna@example.com'],
  ])

  await page.getByRole('button', { name: 'Status' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Delivered' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Any day' }).click()
  await expect(page.getByRole('button', { name: '30 days' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await visit(page, [`${at}/orders/${order.id}`, 'anna@example.com', 'History'])
  await page.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByRole('dialog', { name: /Refund/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await visit(page, [`${at}/products`, 'Products', 'Orchard key'])
  await page.getByRole('button', { name: 'More about Orchard key' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('its 19 unsold items')
  await expectAccessible(page)
})

test('the pages of the store, the account and the staff', async ({ page, keystall }) => {
  const shop = await openShop(page, keystall)
  const { at, webhook } = await fill(shop)
  const app = await shop.api<{ app: { id: string } }>('POST', '/apps', {
    name: 'Order printer',
    redirectUrls: ['http://127.0.0.1:1/callback'],
    scopes: ['ViewUser'],
  })
  await shop.api('POST', '/keys', { label: 'Nightly', scopes: ['ViewUser'] })
  await keystall.query('update users set is_staff = true where email_address = $1', [shop.emailAddress])
  await page.goto(`${shop.at}/members`)
  await expectAllAccessible(page, [
    [`${at}/members`, 'Members', 'invited@example.com'],
    [`${at}/members/invite`, 'Invite somebody'],
    [`${at}/audit-log`, 'Audit log', 'Create a coupon'],
    [`${at}/privacy`, 'Privacy', 'Addresses and browsers'],
    [`${at}/payment-methods`, 'Payment methods', 'Account transfer'],
    [`${at}/settings`, 'Settings', 'Leading text'],
    [`${at}/settings/texts`, 'Settings', 'Terms of service'],
    [`${at}/settings/faq`, 'Settings', 'How fast?'],
    [`${at}/settings/domain`, 'Settings', 'Set domain'],
    [`${at}/settings/webhooks`, 'Settings', 'hooks.example.com'],
    [`${at}/settings/webhooks/new`, 'Add webhook'],
    [`${at}/settings/webhooks/${webhook.id}`, 'Webhook', 'Delete webhook'],
    ['/account', 'Account', 'Sessions'],
    ['/apps', 'Apps', 'Order printer'],
    ['/apps/new', 'Create app'],
    [`/apps/${app.app.id}`, 'Order printer', 'Delete app'],
    ['/connected-apps', 'Connected apps', 'Nothing connected'],
    ['/keys', 'Keys', 'Nightly'],
    ['/keys/new', 'Make key'],
    ['/staff/reports', 'Reports'],
    ['/staff/flagged-reviews', 'Flagged reviews'],
    ['/staff/stores', 'All stores', shop.emailAddress],
    [`/staff/stores/${shop.storeId}`, 'Products of a store', 'Orchard key'],
    ['/staff/users', 'All accounts', shop.emailAddress],
    ['/staff/log', 'Staff log'],
    ['/nowhere', 'No such page'],
  ])
})

test('the doors', async ({ page, keystall }) => {
  await page.goto(`${keystall.dashUrl}/sign-in`)
  await expectAllAccessible(page, [
    ['/sign-in', 'Sign in'],
    ['/sign-up', 'Create your account'],
    ['/forgot-password', 'Set a new password'],
    ['/reset-password?token=x', 'Choose a new password'],
    ['/confirm?token=x', 'Confirm your e-mail address'],
    ['/confirm-email?token=x', 'Confirm your new e-mail address'],
    ['/invitation?store=x&token=x', 'This invitation does not work'],
    ['/development/mails', 'Mails'],
  ])
})
