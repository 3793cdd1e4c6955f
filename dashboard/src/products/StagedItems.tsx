import { X } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Status } from '../ui/Status.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import type { DuplicatePlaces } from './Duplicates.tsx'

/** A long list on its way in: every line can be seen and taken out. */
export function StagedItems({
  lines,
  duplicates,
  onRemove,
  onClear,
}: {
  lines: readonly string[]
  duplicates: DuplicatePlaces
  onRemove: (index: number) => void
  onClear: () => void
}) {
  return (
    <div className="overflow-hidden rounded-control border border-line">
      <div className="flex items-center justify-between gap-4 border-b border-line py-1 pr-1 pl-3">
        <span className="font-medium tabular-nums">
          {lines.length.toLocaleString()} {lines.length === 1 ? 'line' : 'lines'} to append
        </span>
        <Button shape="quiet" onClick={onClear}>
          Discard
        </Button>
      </div>
      <VirtualList
        label="Lines to append"
        count={lines.length}
        rowHeight={36}
        height={252}
        render={(index) => (
          <div className="flex h-full items-center gap-3 border-b border-line pr-1 pl-3">
            <span className="w-12 shrink-0 text-right text-xs text-soft tabular-nums">
              {(index + 1).toLocaleString()}
            </span>
            <code className="min-w-0 flex-1 truncate font-mono text-sm">{lines[index]}</code>
            <Mark index={index} duplicates={duplicates} />
            <button
              type="button"
              aria-label={`Take out line ${index + 1}`}
              onClick={() => onRemove(index)}
              className="grid size-8 shrink-0 place-items-center rounded-control text-soft hover:bg-sunken hover:text-text"
            >
              <X aria-hidden className="size-4" />
            </button>
          </div>
        )}
      />
    </div>
  )
}

function Mark({ index, duplicates }: { index: number; duplicates: DuplicatePlaces }) {
  if (duplicates.sold.has(index)) return <Status kind="danger">Sold</Status>
  if (duplicates.onSale.has(index)) return <Status kind="warning">In the product</Status>
  if (duplicates.repeated.has(index)) return <Status kind="warning">Repeated</Status>
  return null
}
