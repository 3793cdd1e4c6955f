import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Keystall } from '@keystall/client'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, test } from 'vitest'
import { freePort } from '../../server/test/free-ports.ts'
import { callableEndpoints } from '../generate/methods.ts'
import { root, stop, useKeystall } from './running.ts'
import { isWellFormed, runSnippets } from './snippets.ts'

const running = useKeystall()
const run = promisify(execFile)
const children: ChildProcess[] = []
afterAll(() => Promise.all(children.map(stop)))

const receivers: [command: string, words: string[], file: string][] = [
  [process.execPath, [], 'examples/webhooks/receiver.ts'],
  ['python3', [], 'examples/webhooks/receiver.py'],
  ['php', ['-S', '127.0.0.2:PORT'], 'examples/webhooks/receiver.php'],
  ['go', ['run'], 'examples/webhooks/receiver.go'],
]

describe('what is shown is what is there', () => {
  test("a guide's program is the example of its name", async () => {
    const guides = await readdir(join(root, 'docs/guides'))
    const shown = await Promise.all(
      [...guides.map((name) => `docs/guides/${name}`), 'README.md'].map(async (name) => [
        ...(await readFile(join(root, name), 'utf8')).matchAll(/^```\w+ (examples\/\S+)\n(.*?)^```$/gms),
      ]),
    )
    for (const [, file = '', text] of shown.flat()) {
      assert.equal(text, await readFile(join(root, file), 'utf8'), file)
    }
    assert.equal(shown.flat().length, 10)
  })

  test("the README's script is the example, and has under 25 lines", async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const [, script = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? []
    assert.equal(script, await readFile(join(root, 'examples/first-order.js'), 'utf8'))
    assert.ok(script.split('\n').length < 25)
  })
})

describe('every example does what it says', () => {
  test.for([
    ['node', 'examples/first-order.js'],
    ['python3', 'examples/first_order.py'],
  ] as const)('a first sale: %s %s', async ([command, file]) => {
    const { stdout } = await run(command === 'node' ? process.execPath : command, [file], {
      cwd: root,
      env: environment(),
    })
    assert.match(stdout, /^Delivered: AAAA-1111$/m)
  })

  // PHP and Go are run where they are installed; elsewhere the vector of their guide stands for them.
  test.for(receivers.filter(([command]) => isInstalled(command)))(
    'a receiver of webhooks believes only what is signed: %s %s',
    async ([command, words, file]) => {
      const secret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`
      const port = await freePort()
      const all = [...words.map((word) => word.replace('PORT', String(port))), file]
      const { url, child } = await start(command, all, { WEBHOOK_SECRET: secret, PORT: String(port) })
      const printed: string[] = []
      child.stdout?.on('data', (chunk) => printed.push(String(chunk)))
      const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { orderId: 'o1' } })
      assert.equal(await deliver(url, secret, body, new Date()), 204)
      assert.equal(await deliver(url, `whsec_${Buffer.from(randomUUID()).toString('base64')}`, body, new Date()), 401)
      assert.equal(await deliver(url, secret, body, new Date(Date.now() - 600_000)), 401)
      if (/\.(ts|py)$/.test(file)) assert.equal(printed.join(''), 'order.paid o1\n')
    },
  )

  test('the vector of the guide is genuine', async () => {
    const guide = await readFile(join(root, 'docs/guides/04-webhooks.md'), 'utf8')
    const value = (name: string) => new RegExp(`^${name} {2,}(.*)$`, 'm').exec(guide)?.[1] ?? ''
    const sentAt = new Date(Number(value('timestamp')) * 1000)
    assert.equal(new Webhook(value('secret')).sign(value('id'), sentAt, value('body')), value('signature'))
  })

  test('a dynamic product is delivered by a webhook of 30 lines', async () => {
    assert.ok((await readFile(join(root, 'examples/dynamic-product.js'), 'utf8')).trimEnd().split('\n').length <= 30)
    const client = keystall()
    const store = await aStore(client)
    const storeId = store.id
    const { url } = await start(process.execPath, ['examples/dynamic-product.js'], {
      WEBHOOK_SECRET: store.webhookSecret,
    })
    const product = await client.createProduct({
      storeId,
      body: { name: 'Licence', cost: 0, visibility: 0, isDynamic: true, ignoreOutOfStock: true, webhookUrl: url },
    })
    const [placed] = await client.createOrder({
      storeId,
      body: { items: [{ productId: product.id, quantity: 2 }], gateway: 'free', emailAddress: 'ada@example.com' },
    })
    const order = await eventually(async () => {
      const seen = await client.getOrder({ storeId, orderId: placed?.order.id ?? '' })
      assert.equal(seen.status, 'Delivered')
      return seen
    })
    assert.match(order.deliveredItem ?? '', /^([0-9A-F]{5}-){3}[0-9A-F]{5}\n([0-9A-F]{5}-){3}[0-9A-F]{5}$/)
  })

  test("an app shows a seller's orders once the seller agrees", async () => {
    const port = await freePort()
    const redirectUrl = `http://localhost:${port}/back`
    const scopes = ['ViewUser', 'ViewStores', 'ViewOrders']
    const { data } = await running.dashboard('POST', '/apps', { name: 'Orders', redirectUrls: [redirectUrl], scopes })
    const { app, clientSecret } = Object(data)
    const orderId = await anOrder(keystall())
    const settings = { APP_ID: app.id, CLIENT_SECRET: clientSecret, PORT: String(port), DASH_URL: running.dashUrl }
    await start(process.execPath, ['examples/oauth-app.js'], settings, port)
    const here = `http://localhost:${port}`
    assert.match(await (await fetch(here)).text(), /Connect your stores/)
    const asked = await fetch(`${here}/connect`, { redirect: 'manual' })
    const cookie = asked.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const consent = new URL(asked.headers.get('location') ?? '')
    const { data: form } = await running.dashboard('GET', `/oauth2/${app.id}/consent${consent.search}`)
    const agreed = await fetch(`${running.dashUrl}/oauth2/${app.id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: running.dashUrl, cookie: running.cookie },
      body: new URLSearchParams({ formToken: Object(form)['formToken'], decision: 'authorize', stores: 'all' }),
    })
    await fetch(agreed.headers.get('location') ?? '', { headers: { cookie }, redirect: 'manual' })
    assert.ok((await (await fetch(here, { headers: { cookie } })).text()).includes(orderId))
  })
})

describe('the reference', () => {
  test.for(['TypeScript', 'Python', 'curl'] as const)('every example is understood: %s', async (language) => {
    // Inside the workspace, so that the client is found.
    const folder = join(root, 'client', `dist.${randomUUID()}`)
    await mkdir(folder)
    try {
      await copyFile(join(root, 'storefront/assets/mark.svg'), join(folder, 'kit.zip'))
      await writeFile(join(folder, 'picture.png'), Buffer.from(pixel, 'base64'))
      const answers = await runSnippets(language, folder, { ...environment(), ...(await ids(keystall())) })
      const odd = [...answers].filter(([name, { status }]) => status !== 200 && !isUnderstood(name, status))
      assert.deepEqual(odd, [])
      assert.equal(answers.size, callableEndpoints().length)
      assert.ok([...answers.values()].filter(({ status }) => status === 200).length > 80)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

/** Things that the demo does not have are not found, and some states forbid it: the request was read all the same. */
function isUnderstood(name: string, status: number): boolean {
  const expected: Record<string, number[]> = {
    exchangeCode: [401, 404],
    followEvents: [0],
    // No key may: it is done on the dashboard, with a password.
    startSweep: [403],
  }
  return (
    [404, 409].includes(status) || (expected[name] ?? []).includes(status) || (status === 400 && isWellFormed(name))
  )
}

async function ids(client: Keystall): Promise<Record<string, string>> {
  const { id: storeId } = await aStore(client)
  const product = await client.createProduct({ storeId, body: { name: 'Game key', cost: 9.5, visibility: 0 } })
  await client.appendItems({ storeId, productId: product.id, body: { items: ['A', 'B', 'C'] } })
  const group = await client.createProductGroup({ storeId, body: { name: 'Games' } })
  const coupon = await client.createCoupon({ storeId, body: { name: 'SPRING' } })
  const items = [{ productId: product.id, quantity: 1 }]
  const [placed] = await client.createOrder({
    storeId,
    body: { items, gateway: 'test', emailAddress: 'ada@example.com' },
  })
  const orderKey = new URL(placed?.checkoutUrl ?? '').searchParams.get('key') ?? ''
  return {
    STORE_ID: storeId,
    PRODUCT_ID: product.id,
    GROUP_ID: group.id,
    COUPON_ID: coupon.id,
    ORDER_ID: placed?.order.id ?? '',
    ORDER_KEY: orderKey,
    CUSTOMER_ID: placed?.order.customer.id ?? '',
    CODE: 'a-code',
    CLIENT_SECRET: 'a-secret',
  }
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, API_URL: running.baseUrl, KEYSTALL_KEY: running.apiKey }
}

function keystall(): Keystall {
  return new Keystall({ baseUrl: running.baseUrl, apiKey: running.apiKey })
}

function isInstalled(command: string): boolean {
  return spawnSync(command, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0
}

let made = 0

async function aStore(client: Keystall) {
  made += 1
  const store = await client.createStore({ body: { name: `Example ${made}`, url: `example${made}` } })
  await client.switchPaymentMethod({ storeId: store.id, method: 'test', body: { isEnabled: true } })
  return store
}

async function anOrder(client: Keystall): Promise<string> {
  return (await ids(client))['ORDER_ID'] ?? ''
}

/** Starts a server on the one loopback address that webhooks may reach, and waits until it listens. */
async function start(command: string, words: string[], settings: Record<string, string>, given?: number) {
  const port = given ?? Number(settings['PORT'] ?? (await freePort()))
  const env = { ...environment(), HOST: '127.0.0.2', PORT: String(port), ...settings }
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const url = given === undefined ? `http://127.0.0.2:${port}/hook` : `http://localhost:${port}`
  await eventually(() => fetch(url, { method: 'HEAD' }))
  return { url, child }
}

async function deliver(url: string, secret: string, body: string, sentAt: Date): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
    },
  })
  return answer.status
}

async function eventually<T>(look: () => Promise<T>, seconds = 20): Promise<T> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(30)
    }
  }
}
