import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { aLabel, enter } from './people.ts'
import { aPicture } from './picture.ts'

test.use({ actionTimeout: 15_000 })
// As a person does it, page by page: long on a busy machine.
test.slow()

/** A seller in the settings of a new store. */
async function atSettings(page: Page, keystall: Keystall): Promise<string> {
  const { cookie } = await enter(page, keystall)
  const label = aLabel()
  const body = { name: 'Corner shop', url: label }
  const { data: store } = await keystall.dash<{ id: string }>('POST', '/stores', { body, cookie })
  await page.goto(`${keystall.dashUrl}/stores/${store.id}/settings`)
  await expect(page.getByLabel('Name')).toHaveValue('Corner shop')
  return label
}

test('the store’s form is previewed, refused in the API’s words, and saved', async ({ page, keystall }) => {
  const label = await atSettings(page, keystall)
  const preview = page.frameLocator('iframe[title^=Preview]')
  await page.getByLabel('Leading text').fill('Come in')
  await expect(preview.getByText('Come in')).toBeVisible()
  await page.getByLabel('Label').fill('admin')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Is reserved: choose another label')).toBeVisible()
  await expect(page.getByLabel('Leading text')).toHaveValue('Come in')
  await page.getByLabel('Label').fill(label)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Store saved')).toBeVisible()

  await page.getByRole('link', { name: 'Appearance' }).click()
  await expect(page.getByLabel('Accent', { exact: true })).toBeVisible()
  await expect(preview.getByText('Come in')).toBeVisible()
  await page.getByLabel('Accent', { exact: true }).fill('#aa00bb')
  await expect(preview.locator('html')).toHaveCSS('--accent', '#aa00bb')
  await page.getByRole('radio', { name: /Showcase/ }).check()
  await expect(preview.locator('body')).toHaveClass('theme-showcase')
  await page
    .getByLabel('Upload logo')
    .last()
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: aPicture([0, 0, 0]) })
  await expect(page.getByRole('img', { name: 'Logo' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  // The word of the first saving may still be there.
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  await page.getByRole('link', { name: 'Legal texts' }).click()
  await page.getByLabel('Terms of service').fill('# Terms')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()

  await page.goto(`${keystall.storeUrl(label)}/`)
  await expect(page.getByText('Come in')).toBeVisible()
  await expect(page.locator('body')).toHaveClass('theme-showcase')
  await expect(page.getByRole('link', { name: 'Terms' })).toBeVisible()
})

test('questions are added, changed, put in order by keyboard, deleted and brought back', async ({ page, keystall }) => {
  await atSettings(page, keystall)
  await page.getByRole('link', { name: 'FAQ' }).click()
  await expect(page.getByRole('heading', { name: 'No questions yet' })).toBeVisible()
  for (const question of ['How fast?', 'How safe?']) {
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByLabel('Question', { exact: true }).fill(question)
    await page.getByLabel('Answer').fill('Very.')
    await page.getByRole('button', { name: 'Add question' }).click()
    await expect(page.getByRole('heading', { name: question })).toBeVisible()
  }
  const questions = page.getByRole('list', { name: 'Questions' }).getByRole('heading')
  await page.getByRole('button', { name: 'Move How safe?' }).press('ArrowUp')
  await expect(questions).toHaveText(['How safe?', 'How fast?'])
  await page.getByRole('button', { name: 'Edit How safe?' }).click()
  await page.getByLabel('Question', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save question' }).click()
  await expect(page.getByLabel('Question', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Question', { exact: true }).fill('How safe is it?')
  await page.getByRole('button', { name: 'Save question' }).click()
  await expect(questions).toHaveText(['How safe is it?', 'How fast?'])
  await page.getByRole('button', { name: 'Delete How fast?' }).click()
  await expect(questions).toHaveText(['How safe is it?'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(questions).toHaveText(['How safe is it?', 'How fast?'])
})

test('a domain shows its records; webhooks are added, tried and their secret replaced', async ({ page, keystall }) => {
  await atSettings(page, keystall)
  await page.getByRole('link', { name: 'Domain', exact: true }).click()
  await page.getByLabel('Domain', { exact: true }).fill('not a domain')
  await page.getByRole('button', { name: 'Set domain' }).click()
  await expect(page.getByLabel('Domain', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Domain', { exact: true }).fill('shop.keystall-test.com')
  await page.getByRole('button', { name: 'Set domain' }).click()
  await expect(page.getByRole('button', { name: /_keystall\.shop\.keystall-test\.com/ })).toBeVisible({
    timeout: 20_000,
  })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove domain' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove domain' }).click()
  await expect(page.getByLabel('Domain', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByLabel('Address').fill('http://10.0.0.1/')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Address').fill('https://hooks.example.com/keystall')
  await page.getByRole('checkbox', { name: 'order.paid' }).check()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByRole('link', { name: 'https://hooks.example.com/keystall' })).toBeVisible()
  await page.getByRole('button', { name: 'Show secret' }).click()
  const secret = page.getByRole('button', { name: /^whsec_/ })
  const former = await secret.textContent()
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('button', { name: 'Replace secret' }).click()
  await expect(secret).not.toHaveText(former ?? '')
  await expectAccessible(page)
})
