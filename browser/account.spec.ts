import { createHmac } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { test } from './keystall.ts'
import { enter, linkInMail, password, signIn, somebody } from './people.ts'

test.use({ actionTimeout: 10_000 })
test.setTimeout(120_000)

const newPassword = 'quite another secret'

/** What the app on the phone shows. */
function codeOf(secret: string, at = Date.now()): string {
  const bits = [...secret.replaceAll(/[\s=]/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
}

test('the confirmation is sent again; a password is forgotten and set anew', async ({ page, keystall }) => {
  const person = somebody()
  await page.goto(`${keystall.dashUrl}/sign-up`)
  await page.getByLabel('E-mail').fill(person.emailAddress)
  await page.getByLabel('User name').fill(person.userName)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: /again/ }).click()
  await expect
    .poll(async () => {
      const sent = await keystall.query('select 1 from mails where to_address = $1', [person.emailAddress])
      return Object(sent).rowCount
    })
    .toBe(2)
  await page.goto(await linkInMail(keystall, person.emailAddress, '/confirm?token='))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/`)
  await signOut(page)

  await page.getByRole('link', { name: /forgot/i }).click()
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await page.getByLabel('E-mail').fill(person.emailAddress)
  await page.getByRole('button', { name: /link/i }).click()
  await page.goto(await linkInMail(keystall, person.emailAddress, '/reset-password?token='))
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, person.emailAddress)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/`)
})

test('e-mail and password are changed, and other sessions end', async ({ page, browser, keystall }) => {
  const person = await enter(page, keystall)
  const other = await browser.newPage()
  await other.goto(`${keystall.dashUrl}/sign-in`)
  await signIn(other, person.emailAddress)
  await expect(other).toHaveURL(`${keystall.dashUrl}/`)

  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: /End session of/ }).click()
  await expect(page.getByRole('button', { name: /End session of/ })).toBeHidden()
  await other.reload()
  await expect(other).toHaveURL(/sign-in/)
  await signIn(other, person.emailAddress)
  await expect(other).toHaveURL(/\/$/)

  await page.getByRole('button', { name: 'Change e-mail' }).click()
  const next = `new-${person.emailAddress}`
  await page.getByLabel('New e-mail').fill(next)
  await page
    .getByRole('dialog')
    .getByLabel(/password/i)
    .first()
    .fill(password)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(next).first()).toBeVisible()
  await page.goto(await linkInMail(keystall, next, '/confirm-email?token='))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/account`)
  await expect(page.getByRole('main').getByText(next).first()).toBeVisible()

  await page.getByRole('button', { name: 'Change password' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/present|current/i)
    .fill(password)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await other.goto(`${keystall.dashUrl}/account`)
  await expect(other).toHaveURL(/sign-in/)
  await other.close()
})

test('two-factor is switched on, asked for, its recovery codes renewed, and switched off', async ({
  page,
  keystall,
}) => {
  const person = await enter(page, keystall)
  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: 'Switch on two-factor' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/password/i)
    .first()
    .fill(password)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /continue|go on|next|switch on/i })
    .click()
  const secret =
    (await page
      .getByRole('dialog')
      .getByRole('button', { name: /secret/ })
      .getAttribute('title')) ?? ''
  await page.getByRole('dialog').getByLabel('Code').fill(codeOf(secret))
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on two-factor' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await signOut(page)
  await signIn(page, person.emailAddress)
  await page.getByLabel('Code').fill(codeOf(secret, Date.now() + 30_000))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/`)

  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  // Each code of the app is good once; time is what gives the next.
  await keystall.query('update users set totp_step = 0 where email_address = $1', [person.emailAddress])
  await page
    .getByRole('dialog')
    .getByLabel(/password/i)
    .first()
    .fill(password)
  await page.getByRole('dialog').getByLabel('Code').fill(codeOf(secret))
  await page.getByRole('dialog').getByRole('button', { name: /codes/i }).click()
  const kept = page.getByRole('button', { name: 'I have kept them' })
  await expect(kept).toBeVisible()
  const [code] = await page.getByRole('dialog').getByRole('listitem').allTextContents()
  await kept.click()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/password/i)
    .first()
    .fill(password)
  await page
    .getByRole('dialog')
    .getByLabel('Code')
    .fill(code ?? '')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /switch off/i })
    .click()
  await expect(page.getByRole('button', { name: 'Switch on two-factor' })).toBeVisible()
})

test("an app's secret is renewed and the app deleted; a key is made and revoked", async ({ page, keystall }) => {
  await enter(page, keystall)
  await page.goto(`${keystall.dashUrl}/apps/new`)
  await page.getByLabel('Name').fill('Order printer')
  await page.getByLabel('Redirect addresses').fill('http://127.0.0.1:1/callback')
  await page.getByRole('checkbox', { name: /See your profile/ }).check()
  await page.getByRole('button', { name: 'Create app' }).click()
  const first = await page.getByRole('status', { name: 'client secret' }).textContent()
  await page.getByRole('link', { name: 'Go to the app' }).click()
  await page.getByRole('button', { name: 'Make new secret' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /secret/i })
    .click()
  const secret = page.getByRole('status', { name: 'client secret' })
  await expect(secret).toHaveText(/^\S{72}$/)
  expect(await secret.textContent()).not.toBe(first)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete app' }).click()
  const name = page.getByRole('dialog').getByRole('textbox')
  if (await name.isVisible()) await name.fill('Order printer')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete app' }).click()
  await expect(page.getByText('No apps yet')).toBeVisible()

  await page.goto(`${keystall.dashUrl}/keys/new`)
  await page.getByLabel('Label').fill('Nightly')
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Make key' }).click()
  const key = (await page.getByRole('status').getByText(/^ey/).textContent()) ?? ''
  const user = () => fetch(`${keystall.apiUrl}/user`, { headers: { authorization: `Bearer ${key}` } })
  expect((await user()).status).toBe(200)
  await page.goto(`${keystall.dashUrl}/keys`)
  await page.getByRole('button', { name: 'Revoke Nightly' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('No keys yet')).toBeVisible()
  expect((await user()).status).toBe(401)
})

test('a page elsewhere cannot frame, act or redirect, and a cookie is worth nothing after signing out', async ({
  page,
  context,
  keystall,
}) => {
  const person = await enter(page, keystall)
  const [before] = await context.cookies(keystall.dashUrl)

  // A store's page lives beside the dashboard; its script tries everything.
  await page.goto(keystall.storeUrl('demo'))
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${keystall.dashUrl}/account' }))`,
  )
  const read = await page.evaluate(
    `fetch('${keystall.dashUrl}/api/account', { credentials: 'include' }).then(() => 'read', () => 'refused')`,
  )
  expect(read).toBe('refused')
  await page.waitForTimeout(500)
  const framed = page.frames().find((frame) => frame.url().startsWith(keystall.dashUrl))
  expect(framed === undefined || (await framed.getByLabel('User name').count()) === 0).toBe(true)
  const posted = await page.request.post(`${keystall.apiUrl.replace('localhost', '127.0.0.1')}/api/stores`, {
    headers: {
      host: new URL(keystall.dashUrl).host,
      origin: keystall.storeUrl('demo'),
      cookie: `${before?.name}=${before?.value}`,
      'content-type': 'application/json',
    },
    data: { name: 'Stolen', url: 'stolen' },
  })
  expect(posted.status()).toBe(403)

  await page.goto(`${keystall.dashUrl}/account`)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
  if (before) await context.addCookies([before])
  await page.goto(`${keystall.dashUrl}/account`)
  await expect(page).toHaveURL(/sign-in/)

  for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    await context.clearCookies()
    await page.goto(`${keystall.dashUrl}/sign-in?${new URLSearchParams({ next })}`)
    await signIn(page, person.emailAddress)
    await expect(page).toHaveURL(`${keystall.dashUrl}/`)
  }
  const [after] = await context.cookies(keystall.dashUrl)
  expect(after?.value).not.toBe(before?.value)
})
