import { Resolver } from 'node:dns'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'

/** The whole project's folder: as far above this source as above the built server. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Everything the environment decides, read once at the start. */
export interface Config {
  port: number
  apiUrl: URL
  dashUrl: URL
  storeDomain: string
  /** The scheme and port of store addresses follow the API's. */
  storeScheme: 'http:' | 'https:'
  dataDir: string
  databaseUrl: string | undefined
  isDurabilityChecked: boolean
  storageUrl: URL | undefined
  smtpUrl: URL | undefined
  mailFrom: string
  secretKey: string | undefined
  /** Undefined when limits are off. */
  rateLimits: LimitRates | undefined
  trustProxy: string[]
  webhookAllowCidrs: string[]
  imageHosts: string[]
  fileBytesMax: number
  workers: number
  /** What the platform keeps of each payment, in percent, by the seller's plan; `default` for all others. Empty: nothing. */
  platformFees: ReadonlyMap<string, number>
  /** Of a platform fee, for whoever referred the seller. */
  referralPercentage: number
  metricsAddress: { host: string; port: number } | undefined
  /** An OpenTelemetry collector that is sent traces. */
  otlpUrl: URL | undefined
  /** Statements that take longer are logged; 0 for none. */
  slowQueryMs: number
  dnsServers: string[]
  /** Where the card processor is, when it is not Stripe itself. */
  stripeUrl: URL | undefined
  /** What coins cost: fixed, or told by a server. Undefined: nobody can be asked, and no coin is taken. */
  rates: { fixed: ReadonlyMap<string, number> } | { url: string } | undefined
  bitcoin: CoinServer
  litecoin: CoinServer
  /** Whom to ask about Ethereum, which chain is meant, and the token's contract on it. */
  ethereum: { url: URL | undefined; chainId: number; usdcContract: string }
  logLevel: (typeof logLevels)[number]
  isMailPageOn: boolean
  isDemoOn: boolean
}

/** Who is asked about a chain: a node by its RPC, or an Esplora-compatible server. */
export interface CoinServer {
  nodeUrl: URL | undefined
  esploraUrl: URL | undefined
  network: (typeof coinNetworks)[number]
}

/** How fast a bucket of permissions fills, and how many it holds. */
export interface Rate {
  perSecond: number
  burst: number
}

export interface LimitRates {
  key: Rate
  address: Rate
  attempt: Rate
  connection: Rate
}

/** A setting that cannot be used. The start prints its message, one line, and stops. */
export class WrongSetting extends Error {}

const coinNetworks = ['mainnet', 'testnet', 'regtest'] as const
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

export function readConfig(env: Record<string, string | undefined>): Config {
  const port = integer(env, 'PORT', 8080, 1, 65_535)
  const apiUrl = origin(env, 'API_URL', `http://localhost:${port}`)
  const dashUrl = origin(env, 'DASH_URL', `http://dash.localhost:${port}`)
  if (dashUrl.host === apiUrl.host) wrong('DASH_URL', dashUrl.origin, 'must have another host than API_URL')
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href
  // Conveniences of a developer's machine, which anybody on the internet could use against a public one.
  const isDevelopment = !databaseUrl && dashUrl.protocol === 'http:'
  return {
    port,
    apiUrl,
    dashUrl,
    storeDomain: domain(env, 'STORE_DOMAIN', `localhost:${port}`),
    storeScheme: apiUrl.protocol === 'https:' ? 'https:' : 'http:',
    dataDir: resolve(env['DATA_DIR'] || './data'),
    databaseUrl,
    isDurabilityChecked: !flag(env, 'UNSAFE_DATABASE', false),
    storageUrl: url(env, 'STORAGE_URL', ['s3:']),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: env['MAIL_FROM'] || `Keystall <no-reply@${apiUrl.hostname}>`,
    secretKey: secret(env, 'SECRET_KEY'),
    rateLimits: rates(env, 'RATE_LIMITS'),
    trustProxy: cidrs(env, 'TRUST_PROXY'),
    webhookAllowCidrs: cidrs(env, 'WEBHOOK_ALLOW_CIDRS'),
    imageHosts: list(env, 'IMAGE_HOSTS'),
    fileBytesMax: integer(env, 'MAX_FILE_BYTES', 2 ** 31, 1, 2 ** 40),
    platformFees: percentages(env, 'PLATFORM_FEES'),
    referralPercentage: integer(env, 'REFERRAL_PERCENTAGE', 20, 0, 100),
    workers: integer(env, 'WORKERS', 0, 0, 64),
    metricsAddress: address(env, 'METRICS_ADDRESS'),
    otlpUrl: url(env, 'OTLP_URL', ['http:', 'https:']),
    slowQueryMs: integer(env, 'SLOW_QUERY_MS', 1000, 0, 3_600_000),
    dnsServers: nameServers(env, 'DNS_SERVERS'),
    stripeUrl: url(env, 'STRIPE_URL', ['http:', 'https:']),
    rates: ratesOfCoins(env),
    bitcoin: coinServer(env, 'BITCOIN'),
    litecoin: coinServer(env, 'LITECOIN'),
    ethereum: {
      url: url(env, 'ETHEREUM_URL', ['http:', 'https:']),
      chainId: integer(env, 'ETHEREUM_CHAIN_ID', 1, 1, Number.MAX_SAFE_INTEGER),
      usdcContract: contractAddress(env, 'USDC_CONTRACT', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
    },
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    isMailPageOn: flag(env, 'MAIL_PAGE', !env['SMTP_URL'] && isDevelopment),
    isDemoOn: flag(env, 'DEMO', isDevelopment),
  }
}

type Env = Record<string, string | undefined>

function wrong(name: string, value: string, why: string): never {
  throw new WrongSetting(`${name}=${JSON.stringify(value)} ${why}`)
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    wrong(name, text, `must be a whole number from ${min} to ${max}`)
  }
  return value
}

function flag(env: Env, name: string, fallback: boolean): boolean {
  const text = env[name]
  if (!text) return fallback
  if (text !== 'on' && text !== 'off') wrong(name, text, 'must be on or off')
  return text === 'on'
}

function oneOf<const T extends string>(env: Env, name: string, values: readonly T[], fallback: T): T {
  const text = env[name]
  if (!text) return fallback
  return values.find((value) => value === text) ?? wrong(name, text, `must be one of ${values.join(', ')}`)
}

function url(env: Env, name: string, schemes: string[]): URL | undefined {
  const text = env[name]
  if (!text) return undefined
  const value = URL.parse(text)
  // The value may hold a password, so it is not repeated.
  if (!value || !schemes.includes(value.protocol)) {
    throw new WrongSetting(`${name} must be an address that starts with ${schemes.join('// or ')}//`)
  }
  return value
}

function origin(env: Env, name: string, fallback: string): URL {
  const text = env[name] || fallback
  const value = URL.parse(text)
  const isPlain = value?.pathname === '/' && !value.search && !value.hash && !value.username
  if (!value || !isPlain || !['http:', 'https:'].includes(value.protocol)) {
    wrong(name, text, 'must be an http or https address without a path, such as https://api.example.com')
  }
  return value
}

function domain(env: Env, name: string, fallback: string): string {
  const text = (env[name] || fallback).toLowerCase()
  if (!/^[a-z0-9.-]+(:\d+)?$/.test(text)) wrong(name, text, 'must be a host name, with a port if needed')
  return text
}

function list(env: Env, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Such as `default=5,pro=1.5`: names with percentages. */
function percentages(env: Env, name: string): ReadonlyMap<string, number> {
  return new Map(
    list(env, name).map((part) => {
      const [, plan, percent] = /^([\w-]{1,32})=(\d{1,2}(?:\.\d{1,4})?)$/.exec(part) ?? []
      if (plan === undefined) wrong(name, part, 'must be such as default=5,pro=1.5')
      return [plan, Number(percent)]
    }),
  )
}

/** `RATES` such as `BTC-USD=60000,LTC-EUR=80.5`, or `RATES_URL` with `{coin}` and `{currency}` in it. */
function ratesOfCoins(env: Env): Config['rates'] {
  const fixed = list(env, 'RATES').map((part): [string, number] => {
    const [, pair, rate] = /^([A-Z]{2,8}-[A-Z]{3})=(\d{1,9}(?:\.\d{1,8})?)$/.exec(part) ?? []
    if (pair === undefined || !(Number(rate) > 0)) wrong('RATES', part, 'must be such as BTC-USD=60000,LTC-EUR=80.5')
    return [pair, Number(rate)]
  })
  const address = url(env, 'RATES_URL', ['http:', 'https:'])
  if (fixed.length > 0 && address) wrong('RATES', env['RATES'] ?? '', 'cannot be used together with RATES_URL')
  if (address) return { url: env['RATES_URL'] ?? '' }
  return fixed.length > 0 ? { fixed: new Map(fixed) } : undefined
}

function coinServer(env: Env, coin: string): CoinServer {
  return {
    nodeUrl: url(env, `${coin}_NODE_URL`, ['http:', 'https:']),
    esploraUrl: url(env, `${coin}_ESPLORA_URL`, ['http:', 'https:']),
    network: oneOf(env, `${coin}_NETWORK`, coinNetworks, 'mainnet'),
  }
}

function contractAddress(env: Env, name: string, usual: string): string {
  const value = env[name] || usual
  return /^0x[0-9a-fA-F]{40}$/.test(value) ? value : wrong(name, value, 'must be an address: 0x and 40 digits')
}

function cidrs(env: Env, name: string): string[] {
  const ranges = list(env, name)
  for (const range of ranges) {
    if (!ipaddr.isValidCIDR(range) && !ipaddr.isValid(range)) {
      wrong(name, range, 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas')
    }
  }
  return ranges
}

function nameServers(env: Env, name: string): string[] {
  const servers = list(env, name)
  try {
    new Resolver().setServers(servers)
  } catch {
    wrong(name, servers.join(), 'must be IP addresses, with a port if needed, separated by commas')
  }
  return servers
}

const usualRates: LimitRates = {
  key: { perSecond: 20, burst: 100 },
  address: { perSecond: 10, burst: 50 },
  attempt: { perSecond: 10 / 60, burst: 10 },
  connection: { perSecond: 50, burst: 100 },
}

/** `on`, `off`, or what differs from the usual: `key=20/100,address=10/50,attempt=0.2/10,connection=50/100`, a second and at once. */
function rates(env: Env, name: string): LimitRates | undefined {
  const text = env[name] || 'on'
  if (text === 'off') return undefined
  const chosen = { ...usualRates }
  for (const part of text === 'on' ? [] : list(env, name)) {
    const [, kind = '', perSecond, burst] = /^([a-z]+)=(\d+(?:\.\d+)?)\/(\d+)$/.exec(part) ?? []
    if (!isRateKind(kind) || !(Number(perSecond) > 0) || !(Number(burst) >= 1)) {
      wrong(name, part, 'must be on, off, or such as key=20/100,address=10/50,attempt=0.2/10,connection=50/100')
    }
    chosen[kind] = { perSecond: Number(perSecond), burst: Number(burst) }
  }
  return chosen
}

function isRateKind(kind: string): kind is keyof LimitRates {
  return Object.hasOwn(usualRates, kind)
}

function secret(env: Env, name: string): string | undefined {
  const text = env[name]
  if (text && text.length < 32) throw new WrongSetting(`${name} must have at least 32 characters`)
  return text || undefined
}

function address(env: Env, name: string): { host: string; port: number } | undefined {
  const text = env[name]
  if (!text) return undefined
  const value = URL.parse(`http://${text}`)
  if (!value?.port || value.host !== text) wrong(name, text, 'must be a host and a port, such as 127.0.0.1:9090')
  return { host: value.hostname, port: Number(value.port) }
}
