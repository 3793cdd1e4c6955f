import type { CustomDomainRecord } from '@keystall/contract/shapes/custom-domain'
import type { Config } from '#config'
import type { Questions } from '#platform/dns/questions'
import type { StoreRow } from '#stores/tables'
import { hostOf, isApex } from './domain-name.ts'
import type { CustomDomainRow } from './tables.ts'

type Claim = Pick<CustomDomainRow, 'domain' | 'proof'>

/** The record to set first: where the domain points to, or for a registered domain itself the proof of ownership. */
export function firstRecord(config: Config, store: StoreRow, claim: Claim): CustomDomainRecord {
  return isApex(claim.domain) ? proofRecord(claim) : aliasRecord(config, store, claim)
}

/** Every record that the domain needs. */
export async function recordsOf(
  config: Config,
  questions: Questions,
  store: StoreRow,
  claim: Claim,
): Promise<CustomDomainRecord[]> {
  if (!isApex(claim.domain)) return [aliasRecord(config, store, claim), proofRecord(claim)]
  const addresses = await questions.addresses(storeAddress(config, store))
  return [proofRecord(claim), ...addressRecords(config, store, claim, addresses === 'unknown' ? [] : addresses)]
}

export function proofName(domain: string): string {
  return `_keystall.${domain}`
}

export function storeAddress({ storeDomain }: Config, store: { url: string }): string {
  return `${store.url.toLowerCase()}.${hostOf(storeDomain)}`
}

function proofRecord({ domain, proof }: Claim): CustomDomainRecord {
  return { name: proofName(domain), value: proof, type: 'TXT' }
}

function aliasRecord(config: Config, store: StoreRow, { domain }: Claim): CustomDomainRecord {
  return { name: domain, value: storeAddress(config, store), type: 'CNAME' }
}

/** Where our own addresses cannot be found out, the name server must: many offer ALIAS for that. */
function addressRecords(config: Config, store: StoreRow, { domain }: Claim, addresses: readonly string[]) {
  if (addresses.length === 0) return [{ name: domain, value: storeAddress(config, store), type: 'ALIAS' }]
  return addresses.map((value) => ({ name: domain, value, type: value.includes(':') ? 'AAAA' : 'A' }))
}
