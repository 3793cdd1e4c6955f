import { expect, type Page } from '@playwright/test'
import { type Keystall, test } from './keystall.ts'
import { linkInMail, password, signIn, signUp, somebody } from './people.ts'

async function openStore(page: Page): Promise<string> {
  const label = `lamps${process.pid}x${Math.floor(performance.now())}`
  await page.getByRole('button', { name: 'Open a store' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Lamp shop')
  await dialog.getByLabel(/Address|Label/).fill(label)
  await dialog.getByRole('button', { name: 'Open store' }).click()
  await expect(dialog).toBeHidden()
  return label
}

async function invite(page: Page, emailAddress: string, permissions: RegExp[]): Promise<void> {
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('link', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail').fill(emailAddress)
  for (const name of permissions) await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('table', { name: 'Invitations' }).getByText(emailAddress)).toBeVisible()
}

const rail = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).first()

async function asAnother(page: Page, keystall: Keystall): Promise<Page> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('there is a browser')
  const other = await context.newPage()
  await other.goto(`${keystall.dashUrl}/sign-in`)
  return other
}

test('a newcomer is invited, accepts, sees only what they may, and is removed', async ({ page, keystall }) => {
  await signUp(page, keystall)
  await openStore(page)
  const guest = somebody()
  await invite(page, guest.emailAddress, [/See the store/, /See its products/])

  const other = await asAnother(page, keystall)
  await other.goto(await linkInMail(other, guest.emailAddress, '/invitation?store='))
  await expect(other.getByRole('heading', { name: 'Join Lamp shop' })).toBeVisible()
  await other.getByLabel('User name').fill(guest.userName)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Create account and accept' }).click()

  await expect(rail(other).getByRole('link', { name: 'Products' })).toBeVisible()
  for (const hidden of ['Orders', 'Coupons', 'Tickets', 'Members', 'Audit log', 'All stores']) {
    await expect(rail(other).getByRole('link', { name: hidden })).toHaveCount(0)
  }
  await rail(other).getByRole('link', { name: 'Products' }).click()
  await expect(other.getByRole('heading', { name: 'Products', exact: true })).toBeVisible()
  await expect(other.getByRole('link', { name: /Create product|New product|Add product/ })).toHaveCount(0)

  await page.reload()
  await page.getByRole('button', { name: `Remove ${guest.userName}` }).click()
  await page.getByRole('button', { name: 'Remove member' }).click()
  await expect(page.getByRole('table', { name: 'Members' }).getByText(guest.userName)).toHaveCount(0)
  await other.reload()
  await expect(other.getByText('Lamp shop')).toHaveCount(0)

  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  for (const words of ['Remove a member', 'Accept an invitation', 'Invite somebody to a store']) {
    await expect(log.getByText(words)).toBeVisible()
  }
  await other.context().close()
})

test('who has an account signs in first, and another account is told so', async ({ page, keystall }) => {
  const invited = await signUp(page, keystall)
  const owner = await asAnother(page, keystall)
  await signUp(owner, keystall)
  await openStore(owner)
  await invite(owner, invited.emailAddress, [/Read tickets/])
  const link = await linkInMail(owner, invited.emailAddress, '/invitation?store=')

  await owner.goto(link)
  await expect(owner.getByText(`This invitation is for ${invited.emailAddress}.`)).toBeVisible()
  await owner.context().close()

  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to accept' }).click()
  await signIn(page, invited.emailAddress)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(rail(page).getByRole('link', { name: 'Tickets' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText('It is used, withdrawn or too old.')).toBeVisible()
})
