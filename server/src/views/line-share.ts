import { sql } from 'kysely'

const earned = sql`least(line.cost_minor, line.paid_minor - line.refunded_minor)`

/**
 * A line's share of what its order has earned, as it was counted when the money moved. Of a `line` with the order's
 * amounts, its own `part` of the cost, and `upto`, the parts of the lines up to it.
 */
export const lineShare = sql`case
  when line.paid_minor - line.refunded_minor >= line.cost_minor then line.part
  else div(${earned}::numeric * line.upto, line.cost_minor) - div(${earned}::numeric * (line.upto - line.part), line.cost_minor)
end`
