import { type RawBuilder, sql } from 'kysely'

export interface DeliveredLine {
  storeId: string
  orderId: string
  productId: string
  answer: Buffer | null
  fileId: string | null
  friendlyName: string | null
  /** Its items as they are kept, in the order appended. */
  sealed: Buffer[]
}

/** As JSON has it. */
export type TextLine = Omit<DeliveredLine, 'answer' | 'sealed'> & { answer: string | null; sealed: string[] }

/**
 * The lines that are handed over, each with what it gives now, to stand in a statement. Of the order, or of any order of a
 * list: what stands on the right of an equals sign.
 */
export function deliveredLines({
  storeId,
  orderId,
}: {
  storeId: string
  orderId: RawBuilder<string>
}): RawBuilder<TextLine[]> {
  return sql`coalesce((
    select json_agg(json_build_object(
      'storeId', line.store_id, 'orderId', line.order_id, 'productId', line.product_id,
      'answer', encode(line.answer, 'base64'), 'fileId', file.id, 'friendlyName', file.friendly_name,
      'sealed', array(
        select encode(sealed, 'base64') from items
        where store_id = ${storeId} and order_id = line.order_id and product_id = line.product_id
          and replaced_at is null
        order by position
      )
    ) order by line.position)
    from order_lines line
    left join product_files file on file.store_id = ${storeId} and file.product_id = line.product_id
      and line.delivers_file and line.file_cut_at is null
    where line.store_id = ${storeId} and line.order_id = ${orderId} and line.delivered_at is not null
  ), '[]')`
}

export function deliveredLineOf({ answer, sealed, ...line }: TextLine): DeliveredLine {
  return {
    ...line,
    answer: answer === null ? null : Buffer.from(answer, 'base64'),
    sealed: sealed.map((item) => Buffer.from(item, 'base64')),
  }
}
