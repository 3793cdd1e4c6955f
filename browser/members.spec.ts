import { expect, type Page } from '@playwright/test'
import { type Keystall, test } from './keystall.ts'
import { aLabel, enter, linkInMail, password, signIn, somebody } from './people.ts'

async function openStore(page: Page, keystall: Keystall): Promise<void> {
  const { cookie } = await enter(page, keystall)
  await keystall.dash('POST', '/stores', { body: { name: 'Lamp shop', url: aLabel() }, cookie })
  await page.goto(keystall.dashUrl)
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

async function asAnother(page: Page): Promise<Page> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('there is a browser')
  return context.newPage()
}

test('a newcomer is invited, accepts, sees only what they may, and is removed', async ({ page, keystall }) => {
  await openStore(page, keystall)
  const guest = somebody()
  await invite(page, guest.emailAddress, [/See the store/, /See its products/])

  const other = await asAnother(page)
  await other.goto(await linkInMail(keystall, guest.emailAddress, '/invitation?store='))
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
  const invited = await enter(page, keystall)
  const owner = await asAnother(page)
  await openStore(owner, keystall)
  await invite(owner, invited.emailAddress, [/Read tickets/])
  const link = await linkInMail(keystall, invited.emailAddress, '/invitation?store=')

  await owner.goto(link)
  await expect(owner.getByText(`This invitation is for ${invited.emailAddress}.`)).toBeVisible()
  await owner.context().close()

  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to accept' }).click()
  await signIn(page, invited.emailAddress)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await expect(rail(page).getByRole('link', { name: 'Tickets' })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText('It is used, withdrawn or too old.')).toBeVisible()
})
