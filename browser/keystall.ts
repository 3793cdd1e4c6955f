import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from '@playwright/test'
import { Client } from 'pg'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { freePorts } from '../server/test/free-ports.ts'
import { startStripe } from '../server/test/stripe-server.ts'

/** The real product, as a process of its own, for one worker of the browser's tests. */
export interface Keystall {
  apiUrl: string
  dashUrl: string
  storeUrl(label: string): string
  /** Where its secret key is. */
  dataDir: string
  /** Where it looks for a Bitcoin node, and for an Ethereum node. */
  nodePort: number
  ethereumPort: number
  /** By the operator's command. */
  keyOf(owner: string): string
  /** As the dashboard's own pages call; answers the data, and the cookies that were set. */
  dash<Data>(method: string, path: string, given?: DashCall): Promise<{ data: Data; cookies: string[] }>
  /** For what only time would change. */
  query(text: string, values?: unknown[]): Promise<unknown>
}

interface DashCall {
  body?: unknown
  cookie?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))

export const test = base.extend<object, { keystall: Keystall }>({
  keystall: [
    // Playwright reads the names of fixtures from this very pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'keystall-browser-'))
      const database = await startEmbedded({ dataDir, log: { info() {}, error: console.error } })
      const [port = 0, nodePort = 0, ethereumPort = 0] = await freePorts(3)
      const stripe = await startStripe()
      const child = spawn(process.execPath, ['server/dist/main.js'], {
        cwd: root,
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: dataDir,
          DATABASE_URL: database.url,
          DEMO: 'on',
          MAIL_PAGE: 'on',
          RATE_LIMITS: 'off',
          WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32',
          STRIPE_URL: stripe.url,
          BITCOIN_NODE_URL: `http://127.0.0.1:${nodePort}`,
          BITCOIN_NETWORK: 'regtest',
          ETHEREUM_URL: `http://127.0.0.1:${ethereumPort}`,
          ETHEREUM_CHAIN_ID: '31337',
          RATES: 'BTC-USD=60000,ETH-USD=2000',
          LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (chunk) => {
          if (String(chunk).includes('is ready')) resolve()
        })
        child.once('exit', (code) => reject(new Error(`Keystall ended with ${code} before it was ready`)))
      })
      await use({
        apiUrl: `http://localhost:${port}`,
        nodePort,
        ethereumPort,
        dashUrl: `http://dash.localhost:${port}`,
        dataDir,
        storeUrl: (label) => `http://${label}.localhost:${port}`,
        keyOf: (owner) => {
          const words = ['server/dist/keystall.js', 'key', 'create', '--owner', owner, '--scopes', '*', '--json']
          const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: database.url }
          const printed = execFileSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' })
          return (JSON.parse(printed) as { apiKey: string }).apiKey
        },
        dash: (method, path, given = {}) => callDash(port, method, path, given),
        query: async (text, values = []) => {
          const client = new Client({ connectionString: database.url })
          await client.connect()
          return client.query(text, values).finally(() => client.end())
        },
      })
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
      await database.stop()
      stripe.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** Only browsers know every name under localhost: here the name is said apart from the address. */
function callDash<Data>(port: number, method: string, path: string, { body, cookie }: DashCall) {
  const host = `dash.localhost:${port}`
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    host,
    origin: `http://${host}`,
    ...(cookie === undefined ? {} : { cookie }),
    // Node itself tells no length of what a DELETE carries.
    ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise<{ data: Data; cookies: string[] }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path: `/api${path}`, headers }, async (answer) => {
      const read = (await answer.toArray()).join('')
      if (answer.statusCode === 200)
        resolve({ data: JSON.parse(read).data, cookies: answer.headers['set-cookie'] ?? [] })
      else reject(new Error(`${method} ${path}: ${answer.statusCode} ${read}`))
    })
    asked.once('error', reject)
    asked.end(text)
  })
}
