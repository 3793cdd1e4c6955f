import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureOf } from '../api.ts'
import { Card } from './Card.tsx'
import { Notice } from './Notice.tsx'
import { type Grip, Handle, useReorder } from './Reorder.tsx'

/** A card of rows that its owner puts in order. What could not be saved is said above it. */
export function ReorderCard<Row extends { id: string; name: string }>({
  label,
  rows,
  mayArrange,
  arrange,
  rowClass,
  children,
}: {
  label: string
  rows: readonly Row[]
  mayArrange: boolean
  arrange: (rows: readonly Row[]) => Promise<void>
  rowClass: string
  children: (row: Row) => ReactNode
}) {
  const { mutate, error } = useMutation({ mutationFn: arrange })
  const { shown, listRef, gripOf, said } = useReorder({
    rows,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    onArrange: mutate,
  })
  return (
    <div className="flex flex-col gap-3">
      {error && <Notice kind="danger">{failureOf(error).message}</Notice>}
      <Card>
        <ul ref={listRef} aria-label={label}>
          {shown.map((row) => (
            <ReorderRow key={row.id} grip={mayArrange ? gripOf(row) : undefined} className={rowClass}>
              {children(row)}
            </ReorderRow>
          ))}
        </ul>
      </Card>
      <output className="sr-only">{said}</output>
    </div>
  )
}

function ReorderRow({ grip, className, children }: { grip: Grip | undefined; className: string; children: ReactNode }) {
  return (
    <li
      className={`relative flex items-center gap-3 border-line not-last:border-b hover:bg-sunken/50 ${className} ${grip ? 'pl-1.5' : 'pl-4'} ${grip?.isHeld ? 'z-10 rounded-control bg-raised shadow-float' : ''}`}
    >
      {grip && <Handle grip={grip} className="z-10" />}
      {children}
    </li>
  )
}
