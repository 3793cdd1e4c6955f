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
  await page.goto(await linkInMail(page, person.emailAddress, '/confirm?token='))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${keystall.dashUrl}/`)
  return person
}

/** From the home of somebody who has none; answers its label. */
export async function openStore(page: Page, name: string): Promise<string> {
  met += 1
  const label = `corner${process.pid}x${met}`
  await page.getByRole('button', { name: 'Open a store' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Label').fill(label)
  await page.getByRole('button', { name: 'Open store' }).click()
  await expect(page.getByText(`${name} is open`)).toBeVisible()
  return label
}

export async function signIn(page: Page, emailAddress: string): Promise<void> {
  await page.getByLabel('E-mail').fill(emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Asked from a page of the dashboard: only browsers know every name under localhost. */
export async function linkInMail(
  page: Page,
  to: string,
  start: string,
  origin = new URL(page.url()).origin,
): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const mails = await page.evaluate(async () => {
        const answer = await fetch('/api/development/mails')
        const { data } = (await answer.json()) as { data: { to: string; text: string }[] }
        return data
      })
      const words = mails.filter((mail) => mail.to === to).flatMap((mail) => mail.text.split(/\s/))
      link = words.find((word) => word.startsWith(`${origin}${start}`))
      return link
    })
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
