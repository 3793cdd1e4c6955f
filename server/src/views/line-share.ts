import { sql } from 'kysely'

const earned = sql`least(orders.cost_minor, orders.paid_minor - orders.refunded_minor)::numeric`

/** The line's share of what its order has earned, as it was counted when the money moved. */
export const lineShare = sql`coalesce(
  div(${earned} * line.upto, nullif(orders.cost_minor, 0)) - div(${earned} * (line.upto - line.part), nullif(orders.cost_minor, 0)),
  0
)`
