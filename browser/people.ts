import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import type { Keystall } from './keystall.ts'

export const password = 'a long enough secret'

let met = 0

/** Somebody nobody has seen before, in any worker. */
export function somebody() {
  met += 1
  const name = `ada${process.pid}x${met}`
  return { userName: name, emailAddress: `${name}@example.com` }
}

/** As a newcomer does it: the form, then the link in the mail. */
export async function signUp(page: Page, keystall: Keystall, person = somebody()) {
  await page.goto(`${keystall.dashUrl}/sign-up`)
  await page.getByLabel('E-mail').fill(person.emailAddress)
  await page.getByLabel('User name').fill(person.userName)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(person.emailAddress).first()).toBeVisible()
  await page.goto(await linkInMail(keystall, person.emailAddress, '/confirm?token='))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/`)
  return person
}

/** The same without a page, by the calls that those pages make: for whom sign-up is not what is tested. */
export async function enter(page: Page, keystall: Keystall, person = somebody()) {
  await keystall.dash('POST', '/account/sign-up', { body: { ...person, password } })
  const link = new URL(await linkInMail(keystall, person.emailAddress, '/confirm?token='))
  const { cookies } = await keystall.dash('POST', '/account/confirm', {
    body: { token: link.searchParams.get('token') },
  })
  const pairs = cookies.map((cookie) => cookie.split(';')[0] ?? '')
  await page.context().addCookies(
    pairs.map((pair) => {
      const end = pair.indexOf('=')
      return { name: pair.slice(0, end), value: pair.slice(end + 1), url: keystall.dashUrl }
    }),
  )
  return { ...person, cookie: pairs.join('; ') }
}

/** Nobody else's in any worker. */
export function aLabel(): string {
  met += 1
  return `corner${process.pid}x${met}`
}

export async function signIn(page: Page, emailAddress: string): Promise<void> {
  await page.getByLabel('E-mail').fill(emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Mails are sent by a job: it is looked for until it is there. */
export async function linkInMail(
  keystall: Keystall,
  to: string,
  start: string,
  origin = keystall.dashUrl,
): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const { data } = await keystall.dash<{ to: string; text: string }[]>('GET', '/development/mails')
        const words = data.filter((mail) => mail.to === to).flatMap((mail) => mail.text.split(/\s/))
        link = words.find((word) => word.startsWith(`${origin}${start}`))
        return link
      },
      { intervals: [20, 50, 100, 200] },
    )
    .toBeDefined()
  return link ?? ''
}

/** A third party's program: it listens for the redirect. */
export async function anApp(): Promise<{ redirectUrl: string; server: Server; close(): Promise<void> }> {
  const server = createServer((_request, response) => response.end('Back in the app'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
