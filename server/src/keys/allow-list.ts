import ipaddr from 'ipaddr.js'
import { isInRange, parseRange } from '#platform/outbound/ranges'
import { invalid } from '#problem'

export function refuseBadAddresses(addresses: string[]): void {
  const fields: Record<string, string> = {}
  for (const [index, text] of addresses.entries()) {
    const isKnown = text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
    // The library takes octal and shortened IPv4 too, which would not mean what was written.
    const isPlain = text.includes(':') || /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text)
    if (!isKnown || !isPlain)
      fields[`allowedAddresses.${index}`] = 'must be an IP address or a range such as 10.0.0.0/8'
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

/** An IPv4 address that came in through an IPv6 socket is that IPv4 address. */
export function isAllowedFrom(ip: string, addresses: readonly string[]): boolean {
  if (addresses.length === 0) return true
  if (!ipaddr.isValid(ip)) return false
  const bytes = ipaddr.process(ip).toByteArray()
  return addresses.some((address) => isInRange(bytes, parseRange(address)))
}
