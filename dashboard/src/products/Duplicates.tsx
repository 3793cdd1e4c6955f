import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { batchesOf, repeatedIn } from './item-lines.ts'
import { findKnownItems } from './items.ts'
import type { ProductPath } from './products.ts'

const typingPauseMs = 500

/** Places in the list of lines that are there twice, that the product has, or that were sold. */
export interface DuplicatePlaces {
  repeated: ReadonlySet<number>
  onSale: ReadonlySet<number>
  sold: ReadonlySet<number>
  isLooking: boolean
}

const none: ReadonlySet<number> = new Set()

/** `lines` must be the same list as long as nothing in it changes. */
export function useDuplicates(path: ProductPath, lines: readonly string[]): DuplicatePlaces {
  const settled = useSettledLines(lines)
  const found = useQuery({
    queryKey: ['items', path.storeId, path.productId, 'known', settled.key],
    queryFn: async ({ signal }) => {
      const repeated = new Set(await repeatedIn(settled.lines))
      const onSale = new Set<number>()
      const sold = new Set<number>()
      let from = 0
      for (const batch of batchesOf(settled.lines)) {
        const known = await findKnownItems(path, batch, signal)
        for (const place of known.onSale) onSale.add(from + place)
        for (const place of known.sold) sold.add(from + place)
        from += batch.length
      }
      return { repeated, onSale, sold }
    },
    enabled: settled.lines.length > 0,
    gcTime: 0,
    retry: false,
  })
  if (!found.data || settled.lines !== lines || lines.length === 0) {
    return { repeated: none, onSale: none, sold: none, isLooking: lines.length > 0 && !found.isError }
  }
  return { ...found.data, isLooking: found.isFetching }
}

/** A number stands for the list: hashing a hundred thousand lines for a key would stall the page. */
function useSettledLines(lines: readonly string[]) {
  const [settled, setSettled] = useState({ lines, key: 0 })
  useEffect(() => {
    const timer = setTimeout(
      () => setSettled((before) => (before.lines === lines ? before : { lines, key: before.key + 1 })),
      typingPauseMs,
    )
    return () => clearTimeout(timer)
  }, [lines])
  return settled
}

export function Duplicates({
  lines,
  duplicates,
  onLeaveOut,
}: {
  lines: readonly string[]
  duplicates: DuplicatePlaces
  onLeaveOut: (kept: readonly string[]) => void
}) {
  const { repeated, onSale, sold } = duplicates
  const parts = [
    repeated.size > 0 && `${repeated.size.toLocaleString()} repeated in the list`,
    onSale.size > 0 && `${onSale.size.toLocaleString()} already in the product`,
    sold.size > 0 && `${sold.size.toLocaleString()} already sold`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  const isDuplicate = (index: number) => repeated.has(index) || onSale.has(index) || sold.has(index)
  return (
    <Notice kind="warning">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        Duplicates: {parts.join(', ')}.
        <Button onClick={() => onLeaveOut(lines.filter((_, index) => !isDuplicate(index)))}>Leave them out</Button>
      </span>
    </Notice>
  )
}
