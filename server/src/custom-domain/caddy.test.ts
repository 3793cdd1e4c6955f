import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  getCustomDomainStatus,
  listCustomDomainRecords,
  setCustomDomain,
} from '@keystall/contract/endpoints/custom-domain'
import { getStore } from '@keystall/contract/endpoints/stores'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { freePorts } from '#test/free-ports'
import { startTestServer } from '#test/harness'
import { startNameServer } from '#test/name-server'

const programs = ['caddy', 'pebble', 'openssl']
const missing = programs.filter((program) => !isInstalled(program))
if (missing.length > 0) {
  console.warn(
    `The test with a real TLS proxy DID NOT RUN: ${missing.join(', ')} is missing (apt-get install ${programs.join(' ')})`,
  )
}

const domain = 'shop.example.com'
const endings: (() => unknown)[] = []
let seller: Seller
let ports: { api: number; acme: number; management: number; http: number; https: number }
let folder: string

describe.skipIf(missing.length > 0)('a TLS proxy in front of custom domains', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystall-tls-'))
    const [api = 0, acme = 0, management = 0, http = 0, https = 0] = await freePorts(5)
    ports = { api, acme, management, http, https }
    const names = await startNameServer()
    const server = await startTestServer({
      env: { API_URL: `http://127.0.0.1:${api}`, STORE_DOMAIN: 'stores.example.net', DNS_SERVERS: names.address },
      hasJobs: false,
    })
    const listener = await listen(createServer(server.app.handle), api)
    makeCertificate()
    await startPebble(names.address)
    await startCaddy()
    endings.push(
      () => listener.close(),
      () => server.stop(),
      () => names.close(),
      () => rm(folder, { recursive: true, force: true }),
    )

    seller = await aSeller(server)
    await seller.call(setCustomDomain, { body: { domain } })
    const { data } = await seller.call(listCustomDomainRecords)
    const { url } = (await seller.call(getStore)).data
    // The proxy and the shop are on one machine, whose address both names have.
    names.zone = {
      [domain]: { A: ['127.0.0.1'] },
      [`${url.toLowerCase()}.stores.example.net`]: { A: ['127.0.0.1'] },
      [`_keystall.${domain}`]: { TXT: data.filter(({ type }) => type === 'TXT').map(({ value }) => value) },
      'stranger.example.com': { A: ['127.0.0.1'] },
    }
    assert.equal((await seller.call(getCustomDomainStatus)).data, 'active')
  }, 60_000)

  afterAll(async () => {
    for (const end of endings) await end()
  })

  test('makes a certificate for an active domain and shows its store', async () => {
    const { status, text } = await visit(domain)
    assert.equal(status, 200)
    const { name } = (await seller.call(getStore)).data
    assert.ok(text.includes(name))
  }, 60_000)

  test('makes none for any other', async () => {
    await assert.rejects(visit('stranger.example.com'))
  }, 60_000)
})

/** Trusts nobody but the authority on loopback. */
async function visit(name: string): Promise<{ status: number; text: string }> {
  const root = await fetchText(`https://127.0.0.1:${ports.management}/roots/0`, { rejectUnauthorized: false })
  return fetchText(`https://127.0.0.1:${ports.https}/`, { servername: name, ca: root.text, headers: { host: name } })
}

function fetchText(url: string, options: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, async (response) => {
      const text = (await response.toArray()).join('')
      resolve({ status: response.statusCode ?? 0, text })
    })
      .once('error', reject)
      .end()
  })
}

function makeCertificate(): void {
  const subject = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,DNS:*.stores.example.net,IP:127.0.0.1',
  ]
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
}

async function startPebble(nameServer: string): Promise<void> {
  const pebble = {
    listenAddress: `127.0.0.1:${ports.acme}`,
    managementListenAddress: `127.0.0.1:${ports.management}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: ports.http,
    tlsPort: ports.https,
  }
  const config = join(folder, 'pebble.json')
  await writeFile(config, JSON.stringify({ pebble }))
  start('pebble', ['-config', config, '-dnsserver', nameServer], {
    PEBBLE_VA_NOSLEEP: '1',
    PEBBLE_WFE_NONCEREJECT: '0',
  })
  await untilAnswering(`https://127.0.0.1:${ports.management}/roots/0`)
}

/** The Caddyfile that we hand out, pointed at the authority and the ports of this test. */
async function startCaddy(): Promise<void> {
  const text = await readFile(new URL('../../../deploy/Caddyfile', import.meta.url), 'utf8')
  const own = [
    'admin off',
    `storage file_system ${join(folder, 'caddy')}`,
    `http_port ${ports.http}`,
    `https_port ${ports.https}`,
    `acme_ca https://127.0.0.1:${ports.acme}/dir`,
    `acme_ca_root ${join(folder, 'cert.pem')}`,
  ]
  const config = join(folder, 'Caddyfile')
  const ask = `ask http://127.0.0.1:${ports.api}/internal/tls`
  await writeFile(
    config,
    text.replace('\n{\n', `\n{\n\t${own.join('\n\t')}\n`).replace('ask {$API_URL}/internal/tls', ask),
  )
  start('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    API_URL: 'http://api.localhost',
    DASH_URL: 'http://dash.localhost',
    STORE_DOMAIN: 'stores.example.net',
    STORE_CERTIFICATE: join(folder, 'cert.pem'),
    STORE_CERTIFICATE_KEY: join(folder, 'key.pem'),
    UPSTREAM: `127.0.0.1:${ports.api}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  })
  await untilListening(ports.https)
}

function start(program: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: process.env['TEST_LOG'] ? 'inherit' : 'ignore',
  })
  endings.unshift(() => child.kill('SIGKILL'))
  return child
}

async function untilAnswering(url: string): Promise<void> {
  await retry(() => fetchText(url, { rejectUnauthorized: false }))
}

async function untilListening(port: number): Promise<void> {
  await retry(async () => {
    const server = createSocketServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) return
    server.close()
    throw new Error(`nobody listens on ${port}`)
  })
}

async function retry(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(200)
    }
  }
}

async function listen(server: Server, port: number): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
