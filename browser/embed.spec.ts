import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { test } from './keystall.ts'

test.beforeEach(({ keystall }) => keystall.query(`update stores set is_test_method_on = true where url = 'demo'`))

test('a link on another site opens the checkout over the page, and the order opens in the store', async ({
  page,
  keystall,
}) => {
  const store = keystall.storeUrl('demo')
  await page.goto(store)
  const path = (await page.getByRole('link', { name: 'Hollow Garden (game key)' }).first().getAttribute('href')) ?? ''
  const example = await readFile(new URL('../examples/embed.html', import.meta.url), 'utf8')
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(example.replaceAll('http://demo.localhost:8080', store).replace('/product/PRODUCT-ID', path))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  try {
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByRole('link', { name: 'Buy the handbook' }).click()
    const checkout = page.frameLocator('dialog iframe')
    await checkout.getByLabel('Quantity of Hollow Garden (game key)').fill('2')
    await checkout.getByRole('button', { name: 'Update quantities' }).click()
    await expect(checkout.locator('dd.total')).toHaveText('$19.00')
    // The script that hears the key has come by then.
    await page.frames().at(-1)?.waitForLoadState()
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog')).toHaveCount(0)

    await page.getByRole('link', { name: 'Buy the handbook' }).click()
    await checkout.getByLabel('E-mail').fill('embed@example.com')
    await checkout.getByRole('button', { name: 'Place order' }).click()
    await expect(page).toHaveURL(new RegExp(`^${store}/checkout/`))
    await expect(page.getByRole('heading', { name: 'To pay: $9.50' })).toBeVisible()

    // No other page of the store stands in a frame of another site.
    const order = page.url()
    await page.goto(`http://127.0.0.1:${port}/`)
    for (const address of [order, `${store}/`, `${store}${path}`, `${store}/portal`]) {
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}' }))`,
      )
    }
    const refused = () => page.frames().filter((frame) => frame.url().startsWith('chrome-error:'))
    await expect.poll(() => refused().length).toBe(4)
  } finally {
    site.closeAllConnections()
    site.close()
  }
})
