import ipaddr from 'ipaddr.js'
import type { CustomerBlockForm } from '@keystall/contract/endpoints/customers'
import type { Db, Tx } from '#platform/db/database'
import { conflict, invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { deleteBlock, findBlock, insertBlock } from './block-queries.ts'
import type { BlockKind, CustomerBlockRow } from './tables.ts'

export interface Buyer {
  readonly emailAddress: string
  readonly ipAddress: string | null
  readonly countryCode: string | null
}

/** A blocked buyer is told which of the three it is, and no more. */
export async function refuseBlocked(db: Db | Tx, store: Pick<StoreRow, 'id'>, buyer: Buyer): Promise<void> {
  const kind = await findBlock(db, store, {
    emailAddress: buyer.emailAddress.toLowerCase(),
    ipAddress: buyer.ipAddress === null ? null : plainAddress(buyer.ipAddress),
    countryCode: buyer.countryCode,
  })
  if (kind) throw invalid(refusals[kind])
}

const refusals: Record<BlockKind, Record<string, string>> = {
  email: { emailAddress: 'cannot be used to order from this store' },
  address: { ipAddress: 'is one from which this store takes no orders' },
  country: { countryCode: 'is a country that this store does not sell to' },
}

export async function createBlock(
  tx: Tx,
  store: StoreRow,
  form: Required<CustomerBlockForm>,
): Promise<CustomerBlockRow> {
  const block = await insertBlock(tx, store, { ...form, value: valueOf(form) })
  if (!block) throw conflict('This is blocked already')
  return block
}

export async function liftBlock(tx: Tx, store: StoreRow, blockId: string): Promise<null> {
  if (!(await deleteBlock(tx, store, blockId))) throw notFound('block')
  return null
}

const emailOrDomain = /^[^\s@]*@[^\s@]+$/

function valueOf({ kind, value }: Pick<CustomerBlockForm, 'kind' | 'value'>): string {
  switch (kind) {
    case 'email':
      if (!emailOrDomain.test(value)) throw invalid({ value: 'must be an e-mail address, or @ and a domain' })
      return value.toLowerCase()
    case 'country':
      if (!/^[A-Za-z]{2}$/.test(value)) throw invalid({ value: 'must be a country code of two letters' })
      return value.toUpperCase()
    default:
      return networkOf(value)
  }
}

/** As PostgreSQL compares them: an address, or a network with its length. */
function networkOf(text: string): string {
  // An address with a zone is one of this very machine's network, and PostgreSQL knows none.
  const isKnown = !text.includes('%') && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
  if (!isKnown) throw invalid({ value: 'must be an IP address or a network such as 203.0.113.0/24' })
  if (!text.includes('/')) return plainAddress(text) ?? text
  const [address, length] = ipaddr.parseCIDR(text)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= mappedBits
  return isMapped ? `${address.toIPv4Address()}/${length - mappedBits}` : `${address.toString()}/${length}`
}

/** Of an IPv4 address in an IPv6 one. */
const mappedBits = 96

/** An IPv4 address that came through an IPv6 socket is the IPv4 address; null for text that is no address. */
function plainAddress(text: string): string | null {
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.process(text).toString() : null
}
