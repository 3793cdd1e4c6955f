import * as contract from '@keystall/contract/endpoints/customers'
import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import type { StoreRow } from '#stores/tables'
import { presentCustomer, searchCustomerPage, selectCustomerPage } from '#views/customer'
import { createBlock, liftBlock } from './block.ts'
import { selectBlocks } from './block-queries.ts'
import { noteAboutCustomer } from './customer.ts'

/** What a customer's traces are in is known to other modules. */
type Erase = (tx: Tx, store: StoreRow, form: { customerId: string; emailAddress: string }) => Promise<void>

export const customerRoutes = (eraseCustomer: Erase): Implementation[] => [
  implement(contract.listCustomers, async ({ db, store, path, query }) =>
    paged(await selectCustomerPage(db, store, { page: path.page, count: query.count })),
  ),

  implement(contract.searchCustomers, async ({ db, store, path, query }) =>
    paged(await searchCustomerPage(db, store, path.query, { page: path.page, count: query.count })),
  ),

  implement(contract.getCustomer, async ({ db, store, path }) => ok(await presentCustomer(db, store, path.customerId))),

  implement(contract.updateCustomerNotes, async ({ db, store, path, body }) =>
    transact(db, async (tx) => {
      await noteAboutCustomer(tx, store, path.customerId, body.notes)
      return ok(await presentCustomer(tx, store, path.customerId))
    }),
  ),

  implement(contract.eraseCustomer, async ({ db, store, path, body }) => {
    await transact(db, (tx) => eraseCustomer(tx, store, { customerId: path.customerId, ...body }))
    return ok(null, 'The customer is erased')
  }),

  implement(contract.listCustomerBlocks, async ({ db, store }) => ok(await selectBlocks(db, store))),

  implement(contract.createCustomerBlock, ({ store, body, once }) =>
    once(async (tx) => ok(await createBlock(tx, store, body))),
  ),

  implement(contract.deleteCustomerBlock, async ({ db, store, path }) =>
    ok(await transact(db, (tx) => liftBlock(tx, store, path.blockId))),
  ),
]
