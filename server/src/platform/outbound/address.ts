import { networkInterfaces } from 'node:os'
import { bytesOfAddress, isCallable, isInRange, parseRange, type Range } from './ranges.ts'

/** What an address may and may not be. */
export interface AddressRules {
  /** Ranges that the operator opened although they are internal. */
  readonly allowCidrs: readonly string[]
  /** Our own host names, with or without a port; names below them are ours too. */
  readonly ownHosts?: readonly string[]
  /** Ports this machine listens on for us: never called on an address of its own. */
  readonly ownPorts?: readonly number[]
}

const urlCharactersMax = 2048

/** Mail, remote shells, name services, file shares, databases and queues: what a forged request could speak to. */
const refusedPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526,
  530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 631, 636, 873, 989, 990, 993, 995, 1433, 1434, 1521, 1719, 1720,
  1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 2525, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061, 5432, 5433,
  5672, 5900, 5901, 5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 8086,
  8125, 8500, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 26257, 27017, 27018, 27019, 28015,
])

/** Why this address may not be called; undefined when it may, as far as its text tells. */
export function checkWebhookUrl(text: string, rules: AddressRules): string | undefined {
  if (text.length > urlCharactersMax) return `must have at most ${urlCharactersMax} characters`
  // URL would silently drop these.
  if (/[\p{Cc}\p{Z}]/u.test(text)) return 'must not contain spaces or line breaks'
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'must be an http or https address'
  if (url.username || url.password) return 'must not contain a user name or password'
  if (refusedPorts.has(portOf(url))) return `must not use port ${url.port}`
  return checkHost(url, rules)
}

export function portOf(url: URL): number {
  if (url.port) return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function checkHost(url: URL, rules: AddressRules): string | undefined {
  const allowed = rules.allowCidrs.map(parseRange)
  const name = url.hostname.replace(/\.+$/, '')
  const address = bytesOfAddress(name)
  if (address) return checkAddress(address, portOf(url), { ...rules, allowed })
  if (!name) return 'must name a host'
  if (rules.ownHosts?.some((own) => isBelow(name, own.replace(/:\d+$/, '').toLowerCase()))) {
    return 'must not be an address of this service'
  }
  const isLoopbackOpen = allowed.some((range) => isInRange([127, 0, 0, 1], range))
  if (isBelow(name, 'localhost') && !isLoopbackOpen) return 'must not be an internal address'
  return undefined
}

/** Why a resolved address may not be connected to. */
export function checkAddress(
  address: readonly number[],
  port: number,
  rules: { readonly allowed: readonly Range[]; readonly ownPorts?: readonly number[] },
): string | undefined {
  if (!isCallable(address, rules.allowed)) return 'must not be an internal address'
  if (rules.ownPorts?.includes(port) && isOfThisMachine(address)) return 'must not be an address of this service'
  return undefined
}

function isBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}

const loopback = [parseRange('127.0.0.0/8'), parseRange('::1'), parseRange('0.0.0.0'), parseRange('::')]

function isOfThisMachine(address: readonly number[]): boolean {
  if (loopback.some((range) => isInRange(address, range))) return true
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => isInRange(address, parseRange(own.address.replace(/%.*$/, ''))))
}
