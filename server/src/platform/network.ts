import ipaddr from 'ipaddr.js'

/** A person with IPv6 owns a whole /64. */
export function networkOf(given: string): string {
  const ip = plainIp(given)
  // A proxy may pass on what is no address at all.
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}

/** As people write it: a socket of both kinds calls 192.0.2.1 `::ffff:192.0.2.1`. */
export function plainIp(ip: string): string {
  return ip.includes('.') ? ip.replace(/^::ffff:(?=\d+\.)/i, '') : ip
}
