import type { Tx } from '#platform/db/database'
import { dropBlobsLater } from '#products/blobs'
import { conflict, invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import {
  eraseAddress,
  eraseCustomerRow,
  eraseMessages,
  eraseOrders,
  eraseTickets,
  lockCustomer,
  selectSubjects,
} from './erasure-queries.ts'

/**
 * Orders keep their amounts and lose the person. For good: nothing of it can be brought back. A block of the address
 * stays, so that being forgotten is no way around it.
 */
export async function eraseCustomer(
  tx: Tx,
  store: StoreRow,
  { customerId, emailAddress }: { customerId: string; emailAddress: string },
): Promise<void> {
  const customer = await lockCustomer(tx, store, customerId)
  if (!customer) throw notFound('customer')
  if (customer.erasedAt) throw conflict('This customer is erased already')
  if (customer.emailAddress.toLowerCase() !== emailAddress.toLowerCase()) {
    throw invalid({ emailAddress: 'is not the address of this customer' })
  }
  const subjects = await selectSubjects(tx, customer)
  if (subjects.some(({ isOpen }) => isOpen)) {
    throw conflict('An order of this customer is under way: wait until it ends, or cancel it')
  }
  const idsOf = (kind: string) => subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)
  const address = { from: customer.emailAddress, to: `${customer.id}@erased.invalid` }
  const proofs = await eraseOrders(tx, customer, idsOf('order'))
  const files = await eraseTickets(tx, store.id, idsOf('ticket'))
  await eraseMessages(
    tx,
    store.id,
    subjects.map(({ id }) => id),
    address,
  )
  await eraseAddress(tx, store.id, customer.emailAddress)
  await eraseCustomerRow(tx, customer, address.to)
  if (proofs.length + files.length > 0) await dropBlobsLater(tx, [...proofs, ...files])
}
