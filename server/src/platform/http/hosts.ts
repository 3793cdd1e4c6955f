import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

export interface Hosts {
  api: string
  dash: string
  storeDomain: string
  trustProxy: string[]
}

export type Destination =
  | { kind: 'api' }
  | { kind: 'dash' }
  | { kind: 'market' }
  | { kind: 'label'; label: string }
  | { kind: 'domain'; domain: string }

const api: Destination = { kind: 'api' }
const dash: Destination = { kind: 'dash' }
const market: Destination = { kind: 'market' }

/** One listener, several origins: the Host header chooses. */
export function destinationOf(hosts: Hosts, request: IncomingMessage): Destination {
  const host = hostOf(hosts, request)
  if (host === hosts.dash) return dash
  // On a developer's machine the API has the store domain's root too: there the marketplace has its few pages.
  if (host === hosts.storeDomain && (host !== hosts.api || isMarketPath(request.url ?? ''))) return market
  if (host === hosts.api) return api
  const suffix = `.${hosts.storeDomain}`
  if (host.endsWith(suffix)) return { kind: 'label', label: host.slice(0, -suffix.length) }
  return { kind: 'domain', domain: host.replace(/:\d+$/, '').replace(/\.$/, '') }
}

function isMarketPath(url: string): boolean {
  return /^\/(\?|$|assets\/|robots\.txt$|favicon\.ico$)/.test(url)
}

export function hostOf({ trustProxy }: Hosts, request: IncomingMessage): string {
  const { headers, socket } = request
  const forwarded = trustProxy.length > 0 ? headers['x-forwarded-host'] : undefined
  const isTrusted = typeof forwarded === 'string' && isIn(trustProxy, socket.remoteAddress ?? '')
  return (isTrusted ? forwarded : (headers.host ?? '')).trim().toLowerCase()
}

export function isIn(ranges: string[], ip: string): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return ranges.some((range) => {
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), undefined]
    if (network.kind() !== address.kind()) return false
    return address.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128))
  })
}
