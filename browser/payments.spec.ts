import { expect, type Page } from '@playwright/test'
import { startHardhat } from '../server/test/hardhat-server.ts'
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

test('ether that came is sent on, after its fee was shown and the password given', async ({ page, keystall }) => {
  test.slow()
  const chain = await startHardhat({ port: keystall.ethereumPort })
  // Whoever ran this test before had a chain of their own.
  await keystall.query("delete from crypto_cursors where method = 'ethereum'")
  const hurry = async (queue: string) => {
    await keystall.query('update jobs set run_at = now() where queue = $1', [queue])
    await keystall.query('notify keystall_jobs')
  }
  try {
    const shop = await openShop(page, keystall)
    const settings = { isMadeHere: true, confirmations: '1' }
    await shop.api('PUT', `/stores/${shop.storeId}/payment-methods/ethereum`, { settings, password })
    const order = await shop.order('paula@example.com', 'ethereum')
    const buyer = await page.context().newPage()
    await buyer.goto(order.checkoutUrl)
    const address = (await buyer.getByText(/^0x[0-9a-fA-F]{40}$/).textContent()) ?? ''
    await page.goto(`${shop.at}/payment-methods`)
    const dialog = page.getByRole('dialog', { name: 'Send Ethereum on' })
    await page.getByRole('button', { name: 'Send Ethereum on' }).click()
    await expect(dialog.getByText('There is nothing to send on that is worth its fee')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()

    await chain.payEther(address, 6_250_000_000_000_000n)
    await chain.mine()
    await hurry('watch-ethereum')
    await expect(buyer.getByRole('button', { name: /Reveal/ })).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Send Ethereum on' }).click()
    await expect(dialog.getByText(/^0\.00\d+ ETH$/).first()).toBeVisible()
    await expectAccessible(page)
    const recipient = `0x${'9'.repeat(39)}1`
    await dialog.getByLabel('Your address').fill(recipient.slice(0, -1))
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Send money' }).click()
    await expect(dialog.getByText(/is wrong/i)).toBeVisible()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Send money' }).click()
    await expect(dialog.getByText(/must be an Ethereum address/i)).toBeVisible()
    await dialog.getByLabel('Your address').fill(recipient)
    await dialog.getByRole('button', { name: 'Send money' }).click()
    await expect(page.getByText('The money is being sent')).toBeVisible()
    await expect(dialog).toBeHidden()

    await expect.poll(() => chain.waiting(), { timeout: 30_000 }).toBe(1)
    await chain.mine()
    await expect.poll(() => chain.balanceOf(recipient)).toBeGreaterThan(6_000_000_000_000_000n)
    await expect
      .poll(
        async () => {
          await hurry('sweep-ethereum')
          await page.reload()
          await page.getByRole('button', { name: 'Send Ethereum on' }).click()
          await expect(dialog.getByRole('region', { name: 'Sent before' })).toBeVisible()
          return dialog.getByText('Arrived').isVisible()
        },
        { timeout: 60_000 },
      )
      .toBe(true)
  } finally {
    await chain.stop()
  }
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
