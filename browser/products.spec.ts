import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, type Response } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { type Keystall, test } from './keystall.ts'
import { aLabel, enter } from './people.ts'
import { aPicture } from './picture.ts'

test.use({ actionTimeout: 15_000 })
// As a person does it, page by page: long on a busy machine.
test.slow()

/** A seller in the list of products of a new store. */
async function atProducts(page: Page, keystall: Keystall): Promise<{ storeId: string; label: string; cookie: string }> {
  const { cookie } = await enter(page, keystall)
  const label = aLabel()
  const body = { name: 'Corner shop', url: label }
  const { data: store } = await keystall.dash<{ id: string }>('POST', '/stores', { body, cookie })
  await page.goto(`${keystall.dashUrl}/stores/${store.id}/products`)
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
  return { storeId: store.id, label, cookie }
}

async function createProduct(page: Page, name: string, { items = '' } = {}): Promise<void> {
  await page.getByRole('link', { name: 'Create product' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Price').fill('9,50')
  if (items !== '') await page.getByLabel('Items, one a line').fill(items)
  await page.getByRole('button', { name: 'Create product' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('a product from nothing to the store page, with a preview, pictures and a file', async ({ page, keystall }) => {
  const { label } = await atProducts(page, keystall)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Create product' }).click()
  await page.getByRole('button', { name: 'Create product' }).click()
  await expect(page.getByText('Must have at least 3 characters').first()).toBeVisible()
  await page.goBack()
  await createProduct(page, 'Game key', { items: 'AAAA\nBBBB' })
  await expect(page.getByText('2 in stock')).toBeVisible()

  const preview = page.frameLocator('iframe[title^=Preview]')
  await page.getByLabel('Description').fill('Runs **everywhere**')
  await expect(preview.locator('strong', { hasText: 'everywhere' })).toBeVisible()
  await expect(preview.locator('body')).toHaveCSS('margin', '0px')
  await page.getByLabel('Fewest an order').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Fewest an order')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Description')).toHaveValue('Runs **everywhere**')
  await page.getByLabel('Fewest an order').fill('1')
  await page.getByLabel('Fee for Card').fill('2.5')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Product saved')).toBeVisible()

  const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('img')
  for (const [index, colour] of (
    [
      [12, 127, 117],
      [170, 51, 34],
    ] as const
  ).entries()) {
    await page
      .getByLabel('Add pictures')
      .last()
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: aPicture(colour) })
    await expect(pictures).toHaveCount(index + 1)
    await expect(page.getByRole('progressbar')).toBeHidden()
  }
  const second = await pictures.nth(1).getAttribute('src')
  await page.getByRole('button', { name: 'Move picture 2:' }).press('ArrowLeft')
  await expect(pictures.first()).toHaveAttribute('src', second ?? '')
  await page
    .getByLabel('Add pictures')
    .last()
    .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await expect(page.getByRole('alert')).toContainText('picture')
  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await expect(pictures).toHaveCount(1)
  await expectAccessible(page)

  await page.goto(keystall.storeUrl(label))
  await expect(page.getByRole('link', { name: 'Game key' })).toBeVisible()
})

test('a file is paused, and the upload goes on where it stopped', async ({ page, keystall }, testInfo) => {
  await atProducts(page, keystall)
  await createProduct(page, 'Software')
  const file = testInfo.outputPath('setup.zip')
  await writeFile(file, Buffer.alloc(20 * 2 ** 20, 'k'))
  const sent: string[] = []
  await page.route('**/file/uploads/*?offset=*', async (route) => {
    sent.push(new URL(route.request().url()).searchParams.get('offset') ?? '')
    // The second part never arrives: the line is cut until somebody goes on.
    if (sent.length === 2) await new Promise(() => {})
    else await route.continue()
  })
  await page.getByLabel('Upload file').last().setInputFiles(file)
  await expect.poll(() => sent.length, { timeout: 30_000 }).toBe(2)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText(/of 21.0 MB, paused/)).toBeVisible()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('setup.zip')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replace file' })).toBeVisible()
  expect(sent).toEqual(['0', String(8 * 2 ** 20), String(8 * 2 ** 20), String(16 * 2 ** 20)])
})

test('a hundred thousand items: duplicates are shown first, and clearing can be undone', async ({ page, keystall }) => {
  await atProducts(page, keystall)
  await createProduct(page, 'Many keys', { items: 'KEY-00007' })
  await page.getByRole('link', { name: 'Edit items' }).click()
  await expect(page.getByText('KEY-00007')).toBeVisible()
  const lines = Array.from({ length: 100_000 }, (_, index) => `KEY-${String(index).padStart(5, '0')}`)
  lines[50] = 'KEY-00049'
  await page
    .getByLabel('Choose file')
    .last()
    .setInputFiles({ name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\r\n')) })
  await expect(page.getByText('100,000 lines to append')).toBeVisible()
  await expect(page.getByText(/1 repeated in the list, 1 already in the product/)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Leave them out' }).click()
  await page.getByRole('button', { name: 'Append 99,998 items' }).click()
  await expect(page.getByRole('heading', { name: 'In stock: 99,999' })).toBeVisible({ timeout: 40_000 })
  await page
    .getByRole('list', { name: 'Items in stock' })
    .evaluate((list) => list.parentElement?.scrollTo(0, list.scrollHeight))
  await expect(page.getByText('KEY-99999')).toBeVisible()
  await page.getByLabel('Choose item 99999').check()
  await page.getByRole('button', { name: 'Remove 1' }).click()
  await expect(page.getByRole('heading', { name: 'In stock: 99,998' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('button', { name: 'Clear items' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing in stock' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'In stock: 99,998' })).toBeVisible()
})

async function boxOf(page: Page, product: string) {
  const box = await page.getByRole('button', { name: `Move ${product}:` }).boundingBox()
  if (!box) throw new Error('the handle is in sight')
  return box
}

test('the list is searched, put in order by keyboard and by mouse, copied and thinned out', async ({
  page,
  keystall,
}) => {
  const { storeId, cookie } = await atProducts(page, keystall)
  const at = `/stores/${storeId}`
  for (const name of ['Apple', 'Banana']) {
    const product = { name, cost: 9.5, visibility: 0 }
    const { data } = await keystall.dash<{ id: string }>('POST', `${at}/products`, { body: product, cookie })
    if (name === 'Apple')
      await keystall.dash('PUT', `${at}/products/${data.id}/items`, { body: { items: ['A'] }, cookie })
  }
  await page.reload()
  const names = page.getByRole('list', { name: 'Products' }).getByRole('listitem')
  const isSaving = (answer: Response) => answer.request().method() !== 'GET'
  const byKey = page.waitForResponse(isSaving)
  await page.getByRole('button', { name: 'Move Banana:' }).press('ArrowUp')
  await expect(names.first()).toContainText('Banana')
  expect((await byKey).status()).toBe(200)
  await page.reload()
  await expect(names.first()).toContainText('Banana')
  const [from, to] = [await boxOf(page, 'Apple'), await boxOf(page, 'Banana')]
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 })
  await expect(names.first()).toContainText('Apple')
  const saving = page.waitForResponse(isSaving)
  await page.mouse.up()
  expect((await saving).status()).toBe(200)
  await page.reload()
  await expect(names.first()).toContainText('Apple')

  // The first of two is held up on its way, and still the last one stands.
  const [isUnderWay, saved]: [boolean[], Response[]] = [[], []]
  await page.route('**/ordering', async (route) => {
    if (isUnderWay.push(true) === 1) await page.waitForTimeout(700)
    await route.continue()
  })
  page.on('response', (answer) => isSaving(answer) && saved.push(answer))
  await page.getByRole('button', { name: 'Move Banana:' }).press('ArrowUp')
  await expect(names.first()).toContainText('Banana')
  await page.getByRole('button', { name: 'Move Banana:' }).press('ArrowDown')
  await expect(names.first()).toContainText('Apple')
  await expect.poll(() => saved.length).toBe(2)
  await page.unroute('**/ordering')
  await page.reload()
  await expect(names.first()).toContainText('Apple')

  await page.getByRole('button', { name: 'Stock', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Out of stock' }).click()
  await expect(page).toHaveURL(/stock=out/)
  await expect(names).toHaveCount(1)
  await page.getByLabel('Search products').fill('nothing')
  await page.getByRole('button', { name: 'Show all products' }).click()
  await expect(names).toHaveCount(2)

  await page.getByRole('button', { name: 'More about Apple' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Apple (copy)' })).toBeVisible()
  await page.getByLabel('Name').fill('Apple pie')
  await page.getByRole('link', { name: 'Products' }).first().click()
  await expect(page.getByRole('heading', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Leave page' }).click()
  await page.getByRole('button', { name: 'More about Apple (copy)' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete product' }).click()
  await expect(names).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(names).toHaveCount(3)

  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByLabel('Name').fill('Fruit')
  await page.getByRole('button', { name: 'Create group' }).last().click()
  await page.getByLabel('Add a product').selectOption({ label: 'Apple' })
  await expect(page.getByRole('button', { name: 'Take Apple out of the group' })).toBeVisible()
  await expectAccessible(page)
})

test('a dynamic product’s webhook is tried before it is saved', async ({ page, keystall }) => {
  const receiver = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"items":["MADE-FOR-YOU"]}')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.2', resolve))
  const { port } = receiver.address() as AddressInfo
  await atProducts(page, keystall)
  await page.getByRole('link', { name: 'Create product' }).click()
  await page.getByLabel('Name').fill('Certificate')
  await page.getByLabel('Price').fill('3')
  await page.getByRole('radio', { name: /What your webhook answers/ }).check()
  await page.getByLabel('Webhook', { exact: true }).fill('http://127.0.0.1:8080/')
  await page.getByRole('button', { name: 'Send a test request' }).click()
  await expect(page.getByText('Would not be delivered')).toBeVisible()
  await page.getByLabel('Webhook', { exact: true }).fill(`http://127.0.0.2:${port}/hook`)
  await page.getByRole('button', { name: 'Send a test request' }).click()
  const tested = page.getByRole('region', { name: 'Test request and answer' })
  await expect(tested).toContainText('Would be delivered')
  await tested.getByText('Request', { exact: true }).click()
  await expect(tested).toContainText('webhook-signature: v1,')
  await expect(tested).toContainText('"type":"product.dynamic"')
  await expect(tested).toContainText('{"items":["MADE-FOR-YOU"]}')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create product' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Certificate' })).toBeVisible()
  receiver.closeAllConnections()
  receiver.close()
})

test('what could not be loaded says so, and loads when asked again', async ({ page, keystall }) => {
  const { storeId } = await atProducts(page, keystall)
  await page.route(`**/api/stores/${storeId}/products`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await page.unroute(`**/api/stores/${storeId}/products`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
})
