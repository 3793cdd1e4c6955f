import { expect, type Page } from '@playwright/test'
import { type Keystall, test } from './keystall.ts'
import { anApp, enter, signIn, signUp } from './people.ts'

interface App {
  appId: string
  clientSecret: string
  redirectUrl: string
}

/** In the dashboard, as its author does. */
async function makeApp(page: Page, keystall: Keystall, redirectUrl: string): Promise<App> {
  await page.goto(`${keystall.dashUrl}/apps/new`)
  await page.getByLabel('Name').fill('Order printer')
  await page.getByLabel('Redirect addresses').fill(redirectUrl)
  await page.getByRole('checkbox', { name: /See your profile/ }).check()
  await page.getByRole('checkbox', { name: /See your stores/ }).check()
  await page.getByRole('button', { name: 'Create app' }).click()
  const secret = page.getByRole('status', { name: 'client secret' })
  await expect(secret).toHaveText(/^\S{72}$/)
  const clientSecret = (await secret.textContent()) ?? ''
  await page.getByRole('link', { name: 'Go to the app' }).click()
  await expect(page).toHaveURL(/\/apps\/[0-9a-f-]{36}$/)
  return { appId: page.url().split('/').at(-1) ?? '', clientSecret, redirectUrl }
}

async function authorize(page: Page, keystall: Keystall, { appId, redirectUrl }: App, state = 'xyz 1/2'): Promise<URL> {
  const query = new URLSearchParams({ redirectUrl, state })
  await page.goto(`${keystall.dashUrl}/oauth2/${appId}?${query}`)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.waitForURL(`${redirectUrl}?**`)
  return new URL(page.url())
}

async function exchange(keystall: Keystall, { appId, clientSecret }: App, code: string) {
  const answer = await fetch(`${keystall.apiUrl}/oauth2/${appId}/exchange/${code}`, {
    headers: { 'XOAuth2-Client-Secret': clientSecret },
  })
  const body = (await answer.json()) as { data: string; code?: string }
  return { status: answer.status, apiKey: body.data, code: body.code }
}

async function getUser(keystall: Keystall, apiKey: string) {
  const answer = await fetch(`${keystall.apiUrl}/user`, { headers: { authorization: `Bearer ${apiKey}` } })
  return { status: answer.status, body: (await answer.json()) as { data: { email: string } } }
}

test('sign-up, app, consent, exchange, GET /user, revoke', async ({ page, keystall }) => {
  const program = await anApp()
  const person = await signUp(page, keystall)
  const app = await makeApp(page, keystall, program.redirectUrl)

  const back = await authorize(page, keystall, app)
  expect(back.searchParams.get('state')).toBe('xyz 1/2')
  const code = back.searchParams.get('code') ?? ''

  const first = await exchange(keystall, app, code)
  expect(first.status).toBe(200)
  const user = await getUser(keystall, first.apiKey)
  expect(user.status).toBe(200)
  expect(user.body.data.email).toBe(person.emailAddress)

  // A client's retry within ten seconds is refused and takes nothing away.
  const second = await exchange(keystall, app, code)
  expect([second.status, second.code]).toEqual([401, 'InvalidCode'])
  expect((await getUser(keystall, first.apiKey)).status).toBe(200)

  await page.goto(`${keystall.dashUrl}/connected-apps`)
  await expect(page.getByText('Order printer')).toBeVisible()
  await page.getByRole('button', { name: 'Disconnect Order printer' }).click()
  await page.getByRole('button', { name: 'Disconnect app' }).click()
  await expect(page.getByText('Nothing connected')).toBeVisible()
  expect((await getUser(keystall, first.apiKey)).status).toBe(401)
  await program.close()
})

test('a code is good for 60 seconds, and a late second use revokes the key', async ({ page, keystall }) => {
  const program = await anApp()
  await enter(page, keystall)
  const app = await makeApp(page, keystall, program.redirectUrl)

  const old = await authorize(page, keystall, app)
  await keystall.query(
    `update access_codes set date_created = date_created - interval '61 s', expires_at = expires_at - interval '61 s' where app_id = $1`,
    [app.appId],
  )
  const late = await exchange(keystall, app, old.searchParams.get('code') ?? '')
  expect([late.status, late.code]).toEqual([401, 'ExpiredCode'])

  const fresh = await authorize(page, keystall, app)
  const code = fresh.searchParams.get('code') ?? ''
  const { apiKey } = await exchange(keystall, app, code)
  await keystall.query(`update access_codes set used_at = used_at - interval '11 s' where app_id = $1`, [app.appId])
  expect((await exchange(keystall, app, code)).status).toBe(401)
  expect((await getUser(keystall, apiKey)).status).toBe(401)
  await program.close()
})

test('deny goes back with access_denied and the state', async ({ page, keystall }) => {
  const program = await anApp()
  await enter(page, keystall)
  const app = await makeApp(page, keystall, program.redirectUrl)
  await page.goto(`${keystall.dashUrl}/oauth2/${app.appId}?state=s1`)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${program.redirectUrl}?**`)
  const back = new URL(page.url())
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's1' })
  await program.close()
})

test('an address that was not registered is told about, and nobody is sent there', async ({ page, keystall }) => {
  const program = await anApp()
  await enter(page, keystall)
  const app = await makeApp(page, keystall, program.redirectUrl)
  const query = new URLSearchParams({ redirectUrl: `${program.redirectUrl}/` })
  const answer = await page.goto(`${keystall.dashUrl}/oauth2/${app.appId}?${query}`)
  expect(answer?.status()).toBe(400)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Authorize' })).toBeHidden()
  expect(page.url()).toContain(keystall.dashUrl)

  const unknown = await page.goto(`${keystall.dashUrl}/oauth2/01890000-0000-7000-8000-000000000000`)
  expect(unknown?.status()).toBe(404)
  await program.close()
})

test('whoever is not signed in signs in first and comes back to the consent page', async ({
  page,
  browser,
  keystall,
}) => {
  const program = await anApp()
  const person = await enter(page, keystall)
  const app = await makeApp(page, keystall, program.redirectUrl)

  const stranger = await browser.newPage()
  await stranger.goto(`${keystall.dashUrl}/oauth2/${app.appId}?state=after`)
  await signIn(stranger, person.emailAddress)
  await stranger.getByRole('button', { name: 'Authorize' }).click()
  await stranger.waitForURL(`${program.redirectUrl}?**`)
  expect(new URL(stranger.url()).searchParams.get('state')).toBe('after')
  await stranger.close()
  await program.close()
})
