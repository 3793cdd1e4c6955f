import ipaddr from 'ipaddr.js'

/**
 * The special-purpose registries of IANA (RFC 6890 and its successors), and a few addresses that clouds use for
 * their own services. Compared on parsed bytes, never on text.
 */
const internalIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map(parseRange)

/**
 * Only 2000::/3 is handed out for the open internet, so everything outside it is internal: loopback, unique local,
 * link-local, multicast, and the mapped, compatible and NAT64 forms that carry an IPv4 address.
 */
const openIpv6 = parseRange('2000::/3')

/** Inside 2000::/3: protocol assignments with Teredo, documentation, 6to4, AS112. */
const internalIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'].map(parseRange)

export interface Range {
  readonly address: readonly number[]
  readonly bits: number
}

/** `10.0.0.0/8`, or a single address. Throws when it is neither. */
export function parseRange(text: string): Range {
  if (!text.includes('/')) {
    const address = ipaddr.parse(text).toByteArray()
    return { address, bits: address.length * 8 }
  }
  const [address, bits] = ipaddr.parseCIDR(text)
  return { address: address.toByteArray(), bits }
}

/** The bytes of an IP address as a resolver or `URL` writes it, brackets included; undefined for a name. */
export function bytesOfAddress(text: string): readonly number[] | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const plain = bare.replace(/%.*$/, '')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain)
  return isAddress ? ipaddr.parse(plain).toByteArray() : undefined
}

export function isInRange(address: readonly number[], range: Range): boolean {
  if (address.length !== range.address.length) return false
  for (let bit = 0; bit < range.bits; bit += 8) {
    const index = bit / 8
    const mask = range.bits - bit >= 8 ? 0xff : (0xff << (8 - (range.bits - bit))) & 0xff
    if (((address[index] ?? 0) & mask) !== ((range.address[index] ?? 0) & mask)) return false
  }
  return true
}

/** Whether a stranger's address may be called: it is on the open internet, or the operator opened its range. */
export function isCallable(address: readonly number[], allowed: readonly Range[]): boolean {
  if (allowed.some((range) => isInRange(address, range))) return true
  if (address.length === 4) return !internalIpv4.some((range) => isInRange(address, range))
  return isInRange(address, openIpv6) && !internalIpv6.some((range) => isInRange(address, range))
}
