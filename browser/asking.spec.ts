import { expect } from '@playwright/test'
import { expectSound } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { linkInMail } from './people.ts'

let asked = 0

/** The link in the mail that proves the address. */
function confirmLink(keystall: Keystall, emailAddress: string): Promise<string> {
  return linkInMail(keystall, emailAddress, '/contact/', keystall.storeUrl('demo'))
}

test.use({ viewport: { width: 390, height: 844 } })

test('a question becomes a ticket, is replied to, closed, and goes on in a new one', async ({ page, keystall }) => {
  asked += 1
  const emailAddress = `asker${process.pid}x${asked}@example.com`
  const subject = `Bulk price ${process.pid}x${asked}`
  await page.goto(`${keystall.storeUrl('demo')}/contact`)
  await page.getByLabel('E-mail').fill(emailAddress)
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill('What about 100?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Look into your mail' })).toBeVisible()
  await expectSound(page, 'sent')
  await page.goto(await confirmLink(keystall, emailAddress))
  await expectSound(page, 'confirm')
  await page.getByRole('button', { name: /^Send to/ }).click()
  await expect(page).toHaveURL(/\/ticket\//)
  await expectSound(page, 'ticket')
  await page.getByLabel('Reply').fill('Or 200?')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Or 200?')).toBeVisible()

  await keystall.query('update tickets set status = 2, closed_at = now() where subject = $1', [subject])
  await page.reload()
  await page.getByText('Still something to say?').click()
  await expectSound(page, 'closed ticket')
  await page.getByLabel('Message').fill('One more thing.')
  await page.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page.getByText('One more thing.')).toBeVisible()
  await expect(page.getByText(`Goes on from: ${subject}`)).toBeVisible()
})

test('a product is liked, and let go', async ({ page, keystall }) => {
  await page.goto(keystall.storeUrl('demo'))
  await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().click()
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  const liked = page.getByRole('button', { name: 'Liked', exact: true })
  await expect(liked).toHaveAttribute('aria-pressed', 'true')
  await expectSound(page, 'liked')
  await liked.click()
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a store is reported to the staff', async ({ page, keystall }) => {
    await page.goto(keystall.storeUrl('demo'))
    await page.getByRole('link', { name: 'Report this store' }).click()
    await page.getByLabel('What it is about').selectOption('counterfeit')
    await page.getByLabel('What happened').fill('short')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByText('must have at least 10 characters')).toBeVisible()
    await expect(page.getByLabel('What it is about')).toHaveValue('counterfeit')
    await page.getByLabel('What happened').fill('The key is sold by three others too.')
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  })
})
