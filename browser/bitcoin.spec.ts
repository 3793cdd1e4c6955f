import { expect } from '@playwright/test'
import { aRegtest } from '../server/test/regtest.ts'
import { expectAccessible } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { password } from './people.ts'
import { openShop } from './shops.ts'

const patience = { timeout: 30_000 }

/** The chain is read now, not with the next turn. */
async function look(keystall: Keystall): Promise<void> {
  await keystall.query("update jobs set run_at = now() where queue = 'watch-bitcoin'")
  await keystall.query('notify keystall_jobs')
}

test('a seller makes a bitcoin wallet, and a buyer pays into it', async ({ page, keystall }) => {
  const chain = await aRegtest({ rpcPort: keystall.nodePort })
  // Whoever ran this test before had a chain of their own.
  await keystall.query('delete from crypto_cursors')
  try {
    const shop = await openShop(page, keystall)
    await page.goto(`${shop.at}/payment-methods`)
    await page.getByRole('button', { name: 'Set up Bitcoin' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Save bitcoin' }).click()
    await expect(page.getByText('is needed, unless a wallet is made here')).toBeVisible()
    await page.getByLabel('Make a wallet here').check()
    await page.getByRole('button', { name: 'Save bitcoin' }).click()
    const words = page.getByRole('region', { name: 'Words of the Bitcoin wallet' })
    await expect(words.getByRole('listitem')).toHaveCount(12)
    await expectAccessible(page)
    await words.getByLabel('I have written them down').check()
    await words.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('switch', { name: 'Take Bitcoin' })).toBeChecked()

    const { checkoutUrl } = await shop.order('paula@example.com', 'bitcoin')
    await page.goto(checkoutUrl)
    const address = page.getByText(/^bcrt1q/)
    await expect(page.getByText('0.00020834')).toBeVisible()
    await expect(page.locator('.coin svg')).toBeVisible()
    await expect(page.getByText(/price good for (20:00|19:\d\d)/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute(
      'href',
      /^bitcoin:bcrt1q.+0\.00020834$/,
    )

    await chain.pay((await address.textContent()) ?? '', 0.00020834)
    await look(keystall)
    await expect(page.getByRole('heading', { name: 'Payment seen' })).toBeVisible(patience)
    await chain.mine()
    await look(keystall)
    await expect(page.getByRole('button', { name: /Reveal/ })).toBeVisible(patience)
  } finally {
    await chain.stop()
  }
})
