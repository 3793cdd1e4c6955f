import type { CustomDomainStatus } from '@keystall/contract/shapes/custom-domain'
import { Type } from 'typebox'
import type { Config } from '#config'
import type { Db, Tx } from '#platform/db/database'
import { isUniqueViolation, transact } from '#platform/db/transaction'
import { dnsQuestions, type Questions } from '#platform/dns/questions'
import { enqueue, job } from '#platform/jobs/job'
import { raiseRevision } from '#products/revision'
import type { StoreRow } from '#stores/tables'
import { hostOf } from './domain-name.ts'
import { selectDomain, selectDueDomains, setStatus } from './queries.ts'
import { proofName, storeAddress } from './records.ts'
import type { CustomDomainRow } from './tables.ts'

/** A claim with the label of its store. */
type Claim = CustomDomainRow & { url: string }

const domainsAtOnce = 50
/** Whoever waits for a domain may ask again and again; name servers are asked at most this often. */
const freshSeconds = 5

export const checkDomainsJob = job('check-domains', Type.Object({}), { atOnce: 1, leaseSeconds: 120 })

export function checkDomainsLater(tx: Tx): Promise<void> {
  return enqueue(tx, checkDomainsJob, {}, { singletonKey: 'due' })
}

export async function checkDueDomains(db: Db, config: Config): Promise<void> {
  const due = await selectDueDomains(db, { limit: domainsAtOnce })
  await Promise.all(due.map((claim) => checkDomain(db, config, claim)))
}

/** The status now: a domain that is not active yet is looked at again, unless that was just done. */
export async function currentStatus(db: Db, config: Config, store: StoreRow): Promise<CustomDomainStatus> {
  const claim = await selectDomain(db, store)
  if (!claim) return 'none'
  const isFresh = claim.checkedAt !== null && Date.now() - claim.checkedAt.getTime() < freshSeconds * 1000
  return claim.status === 'active' || isFresh ? claim.status : checkDomain(db, config, { ...claim, url: store.url })
}

async function checkDomain(db: Db, config: Config, claim: Claim): Promise<CustomDomainRow['status']> {
  const status = await statusByDns(config, dnsQuestions(config.dnsServers), claim)
  const isKept = await keepStatus(db, claim, status)
  if (isKept) return status
  await keepStatus(db, claim, 'misconfigured')
  return 'misconfigured'
}

/** False when another store has proven the domain. */
function keepStatus(db: Db, claim: Claim, status: CustomDomainRow['status']): Promise<boolean> {
  return transact(db, async (tx) => {
    await setStatus(tx, claim, status)
    if (status !== claim.status) await raiseRevision(tx, claim)
    return true
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'custom_domains_active')) return false
    throw error
  })
}

/** Active with the proof and the right address; a domain that once was, or is proven but points elsewhere, is misconfigured. */
async function statusByDns(config: Config, questions: Questions, claim: Claim): Promise<CustomDomainRow['status']> {
  const [texts, isPointing] = await Promise.all([
    questions.texts(proofName(claim.domain)),
    isPointingHere(config, questions, claim),
  ])
  // Name servers that do not answer say nothing: what was, stays.
  if (texts === 'unknown' || isPointing === 'unknown') return claim.status
  const isProven = texts.includes(claim.proof)
  if (isProven && isPointing) return 'active'
  return isProven || claim.activeSince !== null ? 'misconfigured' : 'pending'
}

/** By an alias below the store domain, or by addresses that are all ours. */
async function isPointingHere(config: Config, questions: Questions, claim: Claim): Promise<boolean | 'unknown'> {
  const alias = await questions.alias(claim.domain)
  if (alias !== 'unknown' && alias.some((name) => isBelow(name, hostOf(config.storeDomain)))) return true
  const [theirs, ours] = await Promise.all([
    questions.addresses(claim.domain),
    questions.addresses(storeAddress(config, claim)),
  ])
  if (theirs === 'unknown' || ours === 'unknown' || alias === 'unknown') return 'unknown'
  return theirs.length > 0 && theirs.every((address) => ours.includes(address))
}

function isBelow(name: string, storeDomain: string): boolean {
  return name.toLowerCase().replace(/\.$/, '').endsWith(`.${storeDomain}`)
}
