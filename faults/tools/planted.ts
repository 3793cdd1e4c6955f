const anOrder = (status: string) => `(select id from orders where store_id = $store and status = '${status}' limit 1)`
const copyOf = (table: string, where: string, change: string) => `
  create temporary table copy on commit drop as select * from ${table} where ${where} limit 1;
  update copy set ${change};
  insert into ${table} select * from copy
`
const anItem = (name: string, taken: 'null' | 'not null') => `
  (select items.id from items join products on products.store_id = $store and products.id = items.product_id
   where items.store_id = $store and products.name = '${name}' and order_id is ${taken} limit 1)
`

/** By the finding that it must lead to, what is done to the tables of a sound store. Each is undone at once. */
export const plantedInTables: Record<string, string> = {
  'lost orders': `delete from orders where store_id = $store and id = ${anOrder('Delivered')}`,
  'lost payments': `update orders set paid_minor = 0 where store_id = $store and id = ${anOrder('Delivered')}`,
  'lost cancellations': `update orders set status = 'Incomplete' where store_id = $store and id = ${anOrder('Cancelled')}`,
  'lost replies': 'delete from ticket_entries where store_id = $store',
  'lost items (appended)': `delete from items where store_id = $store and id = ${anItem('One key', 'null')}`,
  'doubled orders (nobody was told of them)': copyOf('orders', 'store_id = $store', 'id = gen_random_uuid()'),
  'doubled replies': copyOf('ticket_entries', 'store_id = $store', 'id = gen_random_uuid()'),
  'doubled payments, or missing ones': copyOf(
    'payments',
    'store_id = $store',
    "id = gen_random_uuid(), external_id = 'again'",
  ),
  'orders that were paid another sum than their payments': `update payments set amount_minor = amount_minor + 1 where store_id = $store and order_id = ${anOrder('Delivered')}`,
  'orders that gave back another sum than their refunds': `
    insert into refunds (store_id, id, order_id, payment_id, amount_minor, status, return_items)
    values ($store, gen_random_uuid(), ${anOrder('Delivered')}, gen_random_uuid(), 1, 'done', false)
  `,
  'doubled items (appended)': copyOf(
    'items',
    `id = ${anItem('Another key', 'null')}`,
    'id = gen_random_uuid(), position = position + 1000000',
  ),
  'products whose items are not all there': `delete from items where store_id = $store and id = ${anItem('Another key', 'null')}`,
  'paid orders that are stuck': `update orders set status = 'Delivering' where store_id = $store and id = ${anOrder('Delivered')}`,
  'unpaid orders that changed': `update orders set status = 'Cancelled' where store_id = $store and id = ${anOrder('Incomplete')}`,
  'lines with too many or too few items': `update items set order_id = null, taken_at = null where store_id = $store and id = ${anItem('One key', 'not null')}`,
  'products whose counters differ from their items':
    'update product_counts set available = available + 1 where store_id = $store',
  'coupons whose uses differ from the ledger or the orders': `update coupons set uses = uses + 1 where store_id = $store and name = 'TENTH'`,
  'orders whose money does not add up': `update order_lines set cost_minor = cost_minor + 1 where store_id = $store and order_id = ${anOrder('Delivered')}`,
  'figures that differ from the orders':
    'update store_days set orders_created = orders_created + 1 where store_id = $store',
  'orders without each of their events once': `delete from events where store_id = $store and subject_id = ${anOrder('Delivered')}`,
  'delivered orders without their one mail': 'delete from mails',
  "gaps in an order's history": `delete from order_history where store_id = $store and number = 1 and order_id = ${anOrder('Delivered')}`,
  'events without a number': 'update events set number = null where store_id = $store',
  'gaps in the numbers of events': 'update event_numbers set last_number = last_number + 1 where store_id = $store',
  'acts without a number': 'update store_acts set number = null where store_id = $store',
  'gaps in the numbers of acts': 'update store_act_numbers set last_number = last_number + 1 where store_id = $store',
  'changes without their act, or acts without their change': `delete from store_acts where store_id = $store and act = 'appendItems'`,
  'jobs that failed': `insert into jobs (id, queue, data, failed_at) values (gen_random_uuid(), 'planted', '{}', now())`,
}
