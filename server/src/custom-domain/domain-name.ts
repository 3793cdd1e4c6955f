import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import type { Config } from '#config'
import { invalid } from '#problem'

const lengthMax = 253
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** Names that no name server on the internet may answer for. */
const reservedEndings = ['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'alt']

/** The one spelling in which domains are kept and compared: lower case, punycode, no final dot. */
export function normalizeDomain(text: string): string | undefined {
  // An address is cut at these, silently.
  if (/[\s/\\:@?#%]/.test(text)) return undefined
  const domain = domainToASCII(text.toLowerCase().replace(/\.$/, ''))
  if (domain.length > lengthMax) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((each) => label.test(each))) return undefined
  return domain
}

/** A domain that a seller may have for a store. Throws a refusal on `domain` for every other text. */
export function domainOf(config: Config, text: string): string {
  const domain = normalizeDomain(text)
  if (domain === undefined)
    throw invalid({ domain: 'must be a domain name such as shop.example.com, without protocol' })
  const { isIp, domain: registered } = parse(domain, { allowPrivateDomains: true })
  if (isIp) throw invalid({ domain: 'must be a domain name, not an IP address' })
  if (isOurs(config, domain)) throw invalid({ domain: 'is an address of this platform' })
  if (registered === null || reservedEndings.includes(domain.split('.').at(-1) ?? '')) {
    throw invalid({ domain: 'must be a domain that you own' })
  }
  return domain
}

/** Whether it is the registered domain itself, which can have no CNAME record. */
export function isApex(domain: string): boolean {
  return parse(domain, { allowPrivateDomains: true }).domain === domain
}

export function hostOf(storeDomain: string): string {
  return storeDomain.replace(/:\d+$/, '')
}

function isOurs({ apiUrl, dashUrl, storeDomain }: Config, domain: string): boolean {
  const stores = hostOf(storeDomain)
  return [apiUrl.hostname, dashUrl.hostname, stores].includes(domain) || domain.endsWith(`.${stores}`)
}
