import * as contract from '@keystall/contract/endpoints/items'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { transact } from '#platform/db/transaction'
import {
  type Appended,
  appendItems,
  clearItems,
  findKnownItems,
  listItems,
  removeItems,
  restoreItems,
} from './items.ts'
import { countListed } from './item-sealing.ts'

export const itemRoutes: Implementation[] = [
  implement(contract.listItems, async ({ db, platform, product, path, query }) =>
    paged(await listItems(db, platform, product, { page: path.page, count: query.count })),
  ),

  implement(contract.appendItems, async ({ db, platform, product, body }) => {
    const items = body.items ?? []
    const appended = await transact(db, (tx) => appendItems(tx, platform, product, items))
    const repeated = items.length - new Set(items).size
    return ok(null, appendedMessage(appended, repeated))
  }),

  implement(contract.removeItems, async ({ db, platform, product, body }) => {
    const listed = await countListed(platform, product, body.items ?? [])
    const removed = await transact(db, (tx) => removeItems(tx, product, listed))
    return ok(null, `Removed ${counted(removed)}`)
  }),

  implement(contract.clearItems, async ({ db, product }) => {
    await transact(db, (tx) => clearItems(tx, product))
    return ok(null, 'All items were removed; this can be undone for 30 days')
  }),

  implement(contract.findKnownItems, async ({ db, platform, product, body }) =>
    ok(await findKnownItems(db, platform, product, body.items ?? [])),
  ),

  implement(contract.restoreItems, async ({ db, product }) => {
    const restored = await transact(db, (tx) => restoreItems(tx, product))
    return ok(null, restored === undefined ? 'There was nothing to bring back' : `Brought back ${counted(restored)}`)
  }),
]

/** Sellers may mean to sell a value twice; they are told, not refused. */
function appendedMessage({ items, onSale, sold }: Appended, repeated: number): string {
  const remarks = [
    repeated > 0 ? `${repeated} repeated in the list` : '',
    onSale > 0 ? `${onSale} already in the product` : '',
    sold > 0 ? `${sold} already sold` : '',
  ].filter(Boolean)
  return `Appended ${counted(items)}${remarks.length > 0 ? `; duplicates: ${remarks.join(', ')}` : ''}`
}

function counted(items: number): string {
  return items === 1 ? '1 item' : `${items} items`
}
