/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- see Table */
import type { ReactNode } from 'react'
import { Card } from './Card.tsx'

export interface Column<Row> {
  head: string
  render: (row: Row) => ReactNode
  align?: 'end'
  /** The row's name: on a phone it heads the card and needs no label. */
  isName?: boolean
  /** Buttons: no head to be seen. */
  isActs?: boolean
}

/**
 * Rows of 44 px; cards below 640 px. The roles are spelled out, since a table laid out as blocks is no table to
 * screen readers.
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
    <Card className="max-sm:border-0 max-sm:bg-transparent">
      <table role="table" className="w-full max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.head}
                role="columnheader"
                scope="col"
                className={`h-10 border-b border-line px-4 text-sm font-medium whitespace-nowrap text-soft ${edge(column)}`}
              >
                {column.isActs ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:flex max-sm:flex-col max-sm:gap-3">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="border-line not-last:border-b max-sm:flex max-sm:flex-col max-sm:gap-1.5 max-sm:rounded-card max-sm:border max-sm:bg-surface max-sm:p-4 max-sm:not-last:border"
            >
              {columns.map((column) => (
                <td
                  key={column.head}
                  role="cell"
                  className={`h-11 px-4 py-2 max-sm:flex max-sm:h-auto max-sm:items-baseline max-sm:gap-4 max-sm:p-0 ${edge(column)} ${column.isActs ? 'max-sm:-mr-3.5 max-sm:justify-end' : 'max-sm:justify-between'}`}
                >
                  {!column.isName && !column.isActs && (
                    <span aria-hidden className="shrink-0 text-sm text-soft sm:hidden">
                      {column.head}
                    </span>
                  )}
                  {column.render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function edge<Row>(column: Column<Row>) {
  return column.align === 'end' || column.isActs ? 'text-right' : 'text-left'
}
