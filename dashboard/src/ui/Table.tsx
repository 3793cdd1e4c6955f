/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see Table */
import type { ReactNode } from 'react'
import { Card } from './Card.tsx'

const cardPlaces = {
  topEnd: 'max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end',
  middle: 'max-sm:col-span-2 max-sm:row-start-2',
  bottomStart: 'max-sm:col-start-1 max-sm:row-start-3 max-sm:justify-self-start',
  bottomEnd: 'max-sm:col-start-2 max-sm:row-start-3 max-sm:justify-self-end max-sm:text-sm max-sm:text-soft',
}

export interface Column<Row> {
  head: string
  render: (row: Row) => ReactNode
  align?: 'end'
  /** The row's name: on a phone it heads the card and needs no label. */
  isName?: boolean
  /** Buttons: no head to be seen. */
  isActs?: boolean
  /** The share of the room that is left, such as `sm:w-1/2`: what is too long for it is cut. */
  fluid?: string
  /** Where it stands on a phone's card: three lines without labels. The name is at the start of the first. */
  onCard?: keyof typeof cardPlaces
  /** Left out of the cards of a phone. */
  isWideOnly?: boolean
}

/**
 * Rows of 44 px under a head that stays; cards below 640 px. The roles are spelled out, since a table laid out as blocks
 * is no table to screen readers.
 */
export function Table<Row>({
  caption,
  rows,
  rowKey,
  columns,
}: {
  caption: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
}) {
  return (
    <TableFrame caption={caption} columns={columns}>
      <tbody role="rowgroup" className="max-sm:block">
        {rows.map((row) => (
          <TableRow key={rowKey(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </TableFrame>
  )
}

export function TableFrame<Row>({
  caption,
  columns,
  rowCount,
  children,
}: {
  caption: string
  columns: readonly Column<Row>[]
  /** Of the whole list, where only a part of it is in the page. */
  rowCount?: number
  children: ReactNode
}) {
  return (
    <Card className="max-sm:border-0 max-sm:bg-transparent">
      <table
        role="table"
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
        className="w-full border-separate border-spacing-0 max-sm:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.head}
                role="columnheader"
                scope="col"
                className={`sticky top-0 z-10 h-10 border-b border-line bg-surface px-4 text-sm font-medium whitespace-nowrap text-soft first:rounded-tl-card last:rounded-tr-card ${edge(column)}`}
              >
                {column.isActs ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </Card>
  )
}

const cell =
  'h-11 border-line px-4 py-1.5 in-[tr:not(:last-child)]:border-b max-sm:flex max-sm:h-auto max-sm:items-baseline max-sm:gap-4 max-sm:border-0! max-sm:p-0'

export function TableRow<Row>({
  row,
  columns,
  rowIndex,
}: {
  row: Row
  columns: readonly Column<Row>[]
  rowIndex?: number
}) {
  const isCompact = columns.some(({ onCard }) => onCard !== undefined)
  const card = isCompact
    ? 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4'
    : 'max-sm:flex max-sm:flex-col'
  return (
    <tr
      role="row"
      aria-rowindex={rowIndex}
      className={`transition-colors hover:bg-sunken/50 max-sm:mb-3 max-sm:gap-y-1.5 max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-4 ${card}`}
    >
      {columns.map((column) => (
        <td
          key={column.head}
          role="cell"
          className={`${cell} ${edge(column)} ${column.onCard === undefined ? '' : cardPlaces[column.onCard]} ${column.isActs ? 'max-sm:-mr-3.5 max-sm:justify-end' : 'max-sm:justify-between'} ${column.isWideOnly ? 'max-sm:hidden' : ''} ${column.fluid === undefined ? '' : `sm:max-w-0 ${column.fluid}`}`}
        >
          {!column.isName && !column.isActs && !isCompact && (
            <span aria-hidden className="shrink-0 text-sm text-soft sm:hidden">
              {column.head}
            </span>
          )}
          {column.render(row)}
        </td>
      ))}
    </tr>
  )
}

function edge<Row>(column: Column<Row>) {
  return column.align === 'end' || column.isActs ? 'text-right' : 'text-left'
}

/** The link of a row to its own page. */
export const rowLink = 'rounded-control font-medium wrap-anywhere hover:text-accent-text hover:underline'
