import { expect, type Page } from '@playwright/test'
import { stripeKeys } from '../server/test/stripe-server.ts'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { password } from './people.ts'
import { aPicture } from './picture.ts'
import { openShop } from './shops.ts'

test.use({ actionTimeout: 15_000 })
test.setTimeout(120_000)

/** Opens a method's form; only one is open at a time. */
async function openMethod(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByLabel('Your password')).toBeVisible()
}

async function saveMethod(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Save ${name}` }).click()
  await expect(page.getByLabel('Your password')).toBeHidden()
}

test('card keys are checked with Stripe, transfer is paid by hand and confirmed, a wallet is set up', async ({
  page,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  await page.goto(`${shop.at}/payment-methods`)
  await openMethod(page, 'Set up Card')
  await page.getByLabel('Publishable key').fill(stripeKeys.publishableKey)
  await page.getByLabel('Secret key').fill('sk_test_somebodyElses')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText(/refused by Stripe/i)).toBeVisible()
  await page.getByLabel('Secret key').fill(stripeKeys.secretKey)
  await saveMethod(page, 'card')
  const card = page.getByRole('switch', { name: 'Take Card' })
  await expect(card).toBeChecked()
  await openMethod(page, 'Change Card')
  await expect(page.getByLabel('Publishable key')).toHaveValue(stripeKeys.publishableKey)
  await expect(page.getByLabel('Secret key')).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await card.click()
  await expect(card).not.toBeChecked()

  await openMethod(page, 'Set up Wallet')
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Save wallet' }).click()
  await expect(page.getByText(/or the e-mail address is needed/i)).toBeVisible()
  await page.getByLabel('Tag').fill('$orchard')
  await saveMethod(page, 'wallet')
  await openMethod(page, 'Set up Account transfer')
  await page.getByLabel('E-mail address of the account').fill('money@example.com')
  await page.getByLabel('Your password').fill(password)
  await saveMethod(page, 'account transfer')

  const buyer = await page.context().newPage()
  const order = await shop.order('paula@example.com', 'transfer')
  await buyer.goto(order.checkoutUrl)
  await buyer
    .getByLabel('Proof of payment')
    .setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: aPicture([0, 90, 0]) })
  await buyer.getByRole('button', { name: 'Attach' }).click()
  await expect(buyer.getByText('receipt.png')).toBeVisible()
  await buyer.getByLabel('A note for the seller').fill('from my savings')
  await buyer.getByRole('button', { name: 'I have paid' }).click()
  await expect(buyer.getByRole('heading', { name: 'The seller looks for your payment' })).toBeVisible()

  await page.goto(`${shop.at}/orders/${order.id}`)
  await expect(page.getByText('from my savings')).toBeVisible()
  await expect(page.getByRole('link', { name: 'receipt.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Confirm payment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm payment' }).click()
  await expect(page.getByText('Payment confirmed')).toBeVisible()
  await expect(buyer.getByRole('heading', { name: 'The seller looks for your payment' })).toBeHidden()
})

test('store credit is granted and taken back on the ledger; a subscription is cancelled', async ({
  page,
  keystall,
}) => {
  const shop = await openShop(page, keystall)
  const subscription = { name: 'Orchard club', cost: 5, visibility: 0, type: 1, subscriptionPeriod: 'P1M' }
  const club = await shop.api<{ id: string }>('POST', `/stores/${shop.storeId}/products`, subscription)
  await shop.api('PUT', `/stores/${shop.storeId}/products/${club.id}/items`, { items: ['CLUB-1'] })
  const order = await shop.order('sue@example.com', 'test', club.id)
  await shop.asBuyer(order, '/test-payment', { outcome: 'paid' })

  await page.goto(`${shop.at}/customers`)
  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await expect(page.getByText('Active')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel the subscription of sue@example.com' }).click()
  await expect(page.getByRole('dialog')).toContainText('no money goes back')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'sue@example.com' }).click()
  await expect(page.getByRole('heading', { name: 'Store credit' })).toBeVisible()
  const ledger = page.getByRole('list', { name: 'Ledger' }).getByRole('listitem')
  for (const [amount, count] of [
    ['20', 1],
    ['-5,50', 2],
  ] as const) {
    await page.getByRole('button', { name: 'Change credit' }).click()
    await page.getByLabel('Amount').fill(amount)
    await page.getByLabel('Reason').fill('for the trouble')
    await page.getByRole('dialog').getByRole('button', { name: 'Change credit' }).click()
    await expect(ledger).toHaveCount(count)
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await expect(page.getByText('$14.50')).toBeVisible()
  await page.getByRole('button', { name: 'Change credit' }).click()
  await page.getByLabel('Amount').fill('-15')
  await page.getByRole('dialog').getByRole('button', { name: 'Change credit' }).click()
  await expect(page.getByRole('dialog').getByText('There is not enough store credit')).toBeVisible()
  await expectAccessible(page)
})
