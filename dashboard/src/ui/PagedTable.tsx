/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label -- see Table; gaps hold nothing */
import { keepPreviousData, type QueryKey, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './ErrorState.tsx'
import { Skeleton, SkeletonRows } from './Skeleton.tsx'
import { type Column, TableFrame, TableRow } from './Table.tsx'
import { useVisibleRows } from './visible-rows.ts'

export const rowsAPage = 50

interface PageOfRows<Row> {
  pages: number
  data: readonly Row[]
}

/** One page of a list, `rowsAPage` long, as the API gives it. */
export interface PageQuery<Row> {
  queryKey: QueryKey
  queryFn: (context: { signal: AbortSignal }) => Promise<PageOfRows<Row>>
}

/**
 * A list of any length: the rows in sight and a few around them are in the page, and only the API's pages that they
 * belong to are asked for. The scroll bar is that of the whole list.
 */
export function PagedTable<Row>({
  caption,
  pageOf,
  rowKey,
  columns,
  empty,
}: {
  caption: string
  pageOf: (page: number) => PageQuery<Row>
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** What stands in place of an empty list. */
  empty: ReactNode
}) {
  const first = useQuery({ ...pageOf(1), placeholderData: keepPreviousData })
  const pages = first.data?.pages ?? 0
  const guess = pages > 1 ? pages * rowsAPage : (first.data?.data.length ?? 0)
  const { ref, from, to, rowHeight } = useVisibleRows<HTMLTableSectionElement>(guess)
  const needed = pagesBetween(from, to).filter((page) => page > 1 && page <= pages)
  const later = useQueries({
    queries: needed.map((page) => pageOf(page)),
    combine: (results) => ({
      pages: new Map(results.flatMap(({ data }, index) => (data ? [[needed[index] ?? 0, data.data] as const] : []))),
      failed: results.find(({ isError }) => isError),
    }),
  })

  if (first.isPending) return <SkeletonRows count={8} />
  if (first.isError) return <ErrorState error={first.error} onRetry={() => void first.refetch()} />
  if (first.data.data.length === 0) return empty
  if (later.failed) {
    const { error, refetch } = later.failed
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }

  const total = endOf([[1, first.data.data], ...later.pages]) ?? guess
  const until = Math.min(to, total)
  const rows = Array.from({ length: Math.max(0, until - from) }, (_, index) => {
    const place = from + index
    const page = Math.floor(place / rowsAPage) + 1
    const ofPage = page === 1 ? first.data.data : later.pages.get(page)
    return { place, row: ofPage?.[place % rowsAPage] }
  })
  return (
    <div className={first.isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
      <TableFrame caption={caption} columns={columns} rowCount={total}>
        <tbody ref={ref} role="rowgroup" className="max-sm:block">
          {from > 0 && <Gap height={from * rowHeight} columns={columns.length} />}
          {rows.map(({ place, row }) =>
            row === undefined ? (
              <RowOnItsWay key={place} columns={columns.length} />
            ) : (
              <TableRow key={rowKey(row)} row={row} columns={columns} rowIndex={place + 2} />
            ),
          )}
          {until < total && <Gap height={(total - until) * rowHeight} columns={columns.length} />}
        </tbody>
      </TableFrame>
    </div>
  )
}

/** Where the list ends, once a page that is not full has come: the count of pages may be older than the rows. */
function endOf(pages: readonly (readonly [page: number, rows: readonly unknown[]])[]): number | undefined {
  const ends = pages.flatMap(([page, rows]) => (rows.length < rowsAPage ? [(page - 1) * rowsAPage + rows.length] : []))
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function pagesBetween(from: number, to: number): number[] {
  const first = Math.floor(from / rowsAPage) + 1
  const last = Math.floor(Math.max(from, to - 1) / rowsAPage) + 1
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The height of rows that are not in the page. Browsers draw no element of more than some 33 million pixels. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden className="max-sm:block">
      <td colSpan={columns} className="p-0 max-sm:block" style={{ height: Math.min(height, 30_000_000) }} />
    </tr>
  )
}

function RowOnItsWay({ columns }: { columns: number }) {
  return (
    <tr
      aria-hidden
      className="max-sm:mb-3 max-sm:block max-sm:h-34 max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-4"
    >
      <td colSpan={columns} className="h-11 border-b border-line px-4 max-sm:block max-sm:border-0 max-sm:p-0">
        <Skeleton className="h-3.5 w-2/3" />
      </td>
    </tr>
  )
}
