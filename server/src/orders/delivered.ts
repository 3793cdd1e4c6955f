import type { Config } from '#config'
import type { Db } from '#platform/db/database'
import type { SecretKey } from '#platform/secrets/secret-key'
import { openItem } from '#products/item-secrets'
import { openAnswer } from './answer-secrets.ts'
import type { DeliveredLine } from './delivered-parts.ts'
import { selectDeliveredLines } from './delivered-queries.ts'
import type { OrderRow } from './tables.ts'

export interface Delivered {
  /** The items in the order appended, line by line. */
  items: string[]
  /** The same items, under the product that each belongs to. */
  lines: { productId: string; items: string[] }[]
  files: { id: string; friendlyName: string; url: string }[]
}

export type Handed = Pick<OrderRow, 'storeId' | 'id' | 'key' | 'status'>

const nothing: Delivered = { items: [], lines: [], files: [] }

interface Opening {
  config: Config
  secrets: SecretKey
}

/** What the order has handed over so far. */
export async function openDelivered(db: Db, means: Opening, order: Handed): Promise<Delivered> {
  return opened(means, await selectDeliveredLines(db, order))(order)
}

/** The same of many orders, whose lines were read before. */
export function opened({ config, secrets }: Opening, lines: readonly DeliveredLine[]): (order: Handed) => Delivered {
  const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  return (order) => {
    const delivered = linesByOrder.get(order.id)
    if (!delivered) return nothing
    const lines = delivered.map((line) => ({ productId: line.productId, items: openItems(secrets, line) }))
    return {
      items: lines.flatMap(({ items }) => items),
      lines,
      files: isOpen(order) ? delivered.flatMap((line) => fileOf(config, order, line)) : [],
    }
  }
}

/** What a line hands over besides its file. */
export function openItems(
  secrets: SecretKey,
  { answer, sealed, ...line }: Pick<DeliveredLine, 'storeId' | 'orderId' | 'productId' | 'answer' | 'sealed'>,
): string[] {
  if (answer !== null) return openAnswer(secrets, { ...line, answer })
  return sealed.map((item) => openItem({ secrets }, { ...line, sealed: item }))
}

/** One text a line; null before anything was handed over. A file is handed over as its link. */
export function deliveredText({ items, files }: Delivered): string | null {
  const parts = [...items, ...files.map(({ url }) => url)]
  return parts.length === 0 ? null : parts.join('\n')
}

/** Downloads end with a refund or a dispute. */
function isOpen({ status }: Handed): boolean {
  return status !== 'Refunded' && status !== 'Disputed'
}

function fileOf({ apiUrl }: Config, order: Handed, line: { fileId: string | null; friendlyName: string | null }) {
  if (line.fileId === null || line.friendlyName === null) return []
  const url = `${apiUrl.origin}/orders/${order.id}/files/${line.fileId}?key=${order.key}`
  return [{ id: line.fileId, friendlyName: line.friendlyName, url }]
}
