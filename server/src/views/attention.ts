import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import type { Scope } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'

interface Attention {
  undeliverableOrders: number
  waitingOrders: number
  disputedOrders: number
  openTickets: number
  emptyProducts: number
  failingWebhooks: number
}

/** What waits for the seller. Every figure is read from an index of few rows. */
export async function selectAttention(db: Db, { id }: StoreRow, rights: ReadonlySet<Scope>): Promise<Attention> {
  const { rows } = await sql<Attention>`
    select
      (select count(*) from orders where store_id = ${id} and status = 'Undeliverable') as undeliverable_orders,
      (select count(distinct order_id) from order_lines where store_id = ${id} and is_waiting) as waiting_orders,
      (select count(*) from orders where store_id = ${id} and status = 'Disputed') as disputed_orders,
      (
        select count(*) from tickets
        where store_id = ${id} and (
          status = ${ticketStatuses.customerResponded} or status = ${ticketStatuses.opened} and not is_answered
        )
      ) as open_tickets,
      (
        select count(*) from products
        where store_id = ${id} and deleted_at is null and visibility = any(array[0, 1]::smallint[]) and not is_dynamic
          and not exists (
            select from product_files file where file.store_id = ${id} and file.product_id = products.id
          )
          and coalesce((
            select sum(available) from product_counts where store_id = ${id} and product_id = products.id
          ), 0) = 0
      ) as empty_products,
      (
        select count(*) from webhooks
        where store_id = ${id} and (disabled_reason is not null or is_enabled and exists (
          select from webhook_lanes lane
          where lane.store_id = ${id} and lane.name = 'webhook/' || webhooks.id and lane.is_failing
        ))
      ) as failing_webhooks
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error('a select without from gives one row')
  const may = (scope: Scope, figure: number) => (rights.has(scope) ? figure : 0)
  return {
    undeliverableOrders: may('ViewOrders', found.undeliverableOrders),
    waitingOrders: may('ViewOrders', found.waitingOrders),
    disputedOrders: may('ViewOrders', found.disputedOrders),
    openTickets: may('ViewTickets', found.openTickets),
    emptyProducts: may('ViewProducts', found.emptyProducts),
    failingWebhooks: found.failingWebhooks,
  }
}
