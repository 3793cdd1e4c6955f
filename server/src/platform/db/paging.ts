export interface Paging {
  /** From 1. Any integer; beyond the end there is nothing. */
  page: number
  count: number
}

export interface Page<Row> {
  pages: number
  data: Row[]
}

export interface Window {
  limit: number
  offset: number
}

/**
 * One page of a list. `total` and `select` must see the same rows, in an order with a tie-breaker.
 *
 * A deep page stays near the cost of the first when `select` skips over an index alone and joins afterwards:
 *
 *   select o.* from orders o
 *   join (select store_id, id from orders where store_id = $1 order by id desc limit $2 offset $3) page
 *     using (store_id, id) order by id desc
 */
export async function paginate<Row>(
  { page, count }: Paging,
  total: () => Promise<number>,
  select: (window: Window) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows = await total()
  const offset = (page - 1) * count
  // An offset beyond the end, which may be more than PostgreSQL can hold, is not asked for.
  const data = offset < rows ? await select({ limit: count, offset }) : []
  return { pages: Math.ceil(rows / count), data }
}
