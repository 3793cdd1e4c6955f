import type { CustomDomainForm } from '@keystall/contract/endpoints/custom-domain'
import type { CustomDomainRecord } from '@keystall/contract/shapes/custom-domain'
import type { Config } from '#config'
import type { Db, Tx } from '#platform/db/database'
import { dnsQuestions } from '#platform/dns/questions'
import { newToken } from '#platform/secrets/tokens'
import type { StoreRow } from '#stores/tables'
import { domainOf, normalizeDomain } from './domain-name.ts'
import { deleteDomain, selectDomain, selectIsServed, touchStoreDomain, upsertDomain } from './queries.ts'
import { firstRecord, recordsOf } from './records.ts'
import { checkDomainsLater } from './verification.ts'

const proofBits = 160

/** A claim blocks nobody: two stores may wait for one domain, and the first to prove it gets it. */
export async function setCustomDomain(
  tx: Tx,
  config: Config,
  store: StoreRow,
  form: CustomDomainForm,
): Promise<CustomDomainRecord> {
  const domain = domainOf(config, form.domain)
  const isNew = await upsertDomain(tx, { storeId: store.id, domain, proof: `keystall-proof=${newToken(proofBits)}` })
  if (isNew) await touchStoreDomain(tx, store)
  await checkDomainsLater(tx)
  const claim = await selectDomain(tx, store)
  return firstRecord(config, store, claim ?? { domain, proof: '' })
}

/** Nothing happens when there is none. */
export async function removeCustomDomain(tx: Tx, store: StoreRow): Promise<void> {
  const wasThere = await deleteDomain(tx, store)
  if (wasThere) await touchStoreDomain(tx, store)
}

export async function listRecords(db: Db, config: Config, store: StoreRow): Promise<CustomDomainRecord[]> {
  const claim = await selectDomain(db, store)
  return claim ? recordsOf(config, dnsQuestions(config.dnsServers), store, claim) : []
}

/** Whether a certificate may be made for the domain. */
export async function isServed(db: Db, text: string): Promise<boolean> {
  const domain = normalizeDomain(text)
  return domain !== undefined && selectIsServed(db, domain)
}
