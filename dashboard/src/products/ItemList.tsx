import { useMutation, useQueries } from '@tanstack/react-query'
import { KeySquare, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/Toast.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import { clearItems, itemPageQuery, itemsAPage, removeItems, restoreItems } from './items.ts'
import type { ProductPath } from './products.ts'

/** What is in stock, page by page as it is scrolled to. */
export function ItemList({ path, total, mayUpdate }: { path: ProductPath; total: number; mayUpdate: boolean }) {
  const [range, setRange] = useState<readonly [number, number]>([0, 20])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isClearing, setIsClearing] = useState(false)
  const firstPage = Math.floor(range[0] / itemsAPage) + 1
  const lastPage = Math.max(firstPage, Math.floor(Math.min(range[1] + 20, total - 1) / itemsAPage) + 1)
  const pageNumbers = total === 0 ? [] : Array.from({ length: lastPage - firstPage + 1 }, (_, at) => firstPage + at)
  const pages = useQueries({ queries: pageNumbers.map((page) => itemPageQuery(path, page)) })
  const { mutate: restore, error: restoreError } = useMutation({
    mutationFn: () => restoreItems(path),
    onSuccess: (message) => toast(message),
  })
  const remove = useMutation({
    mutationFn: (items: readonly string[]) => removeItems(path, items),
    onSuccess: (_, items) => {
      setChosen(new Set())
      toast(items.length === 1 ? '1 item removed' : `${items.length.toLocaleString()} items removed`)
    },
  })
  const failure = restoreError ?? remove.error

  function itemAt(index: number) {
    const page = pages[Math.floor(index / itemsAPage) + 1 - firstPage]
    return page?.isPlaceholderData ? undefined : page?.data?.data[index % itemsAPage]
  }

  if (total === 0) {
    return (
      <EmptyState
        icon={KeySquare}
        title="Nothing in stock"
        words="Items that you append are listed here. Cleared them by mistake? The last clearing can be undone for 30 days."
        act={
          mayUpdate && (
            <Button onClick={() => restore()}>
              <Undo2 aria-hidden />
              Bring back cleared items
            </Button>
          )
        }
      />
    )
  }
  return (
    <section aria-labelledby="in-stock" className="flex flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h2 id="in-stock" className="text-lg">
          In stock: {total.toLocaleString()}
        </h2>
        {mayUpdate && (
          <span className="flex gap-2">
            {chosen.size > 0 && (
              <Button isBusy={remove.isPending} onClick={() => remove.mutate([...chosen])}>
                Remove {chosen.size.toLocaleString()}
              </Button>
            )}
            <Button shape="dangerQuiet" onClick={() => setIsClearing(true)}>
              Clear all
            </Button>
          </span>
        )}
      </div>
      {failure && <Notice kind="danger">{failureOf(failure).message}</Notice>}
      <Card className="overflow-hidden">
        <VirtualList
          label="Items in stock"
          count={total}
          rowHeight={44}
          height={528}
          onRange={(first, last) => setRange([first, last])}
          render={(index) => (
            <ItemRow
              item={itemAt(index)}
              index={index}
              isChosen={chosen.has(itemAt(index) ?? '')}
              onChoose={
                mayUpdate
                  ? (item, is) =>
                      setChosen((before) => {
                        const next = new Set(before)
                        if (is) next.add(item)
                        else next.delete(item)
                        return next
                      })
                  : undefined
              }
            />
          )}
        />
      </Card>
      {isClearing && <ClearDialog path={path} total={total} onClose={() => setIsClearing(false)} />}
    </section>
  )
}

function ItemRow({
  item,
  index,
  isChosen,
  onChoose,
}: {
  item: string | undefined
  index: number
  isChosen: boolean
  onChoose: ((item: string, isChosen: boolean) => void) | undefined
}) {
  return (
    <label className="flex h-full items-center gap-3 border-b border-line px-4">
      {onChoose && item !== undefined && (
        <input
          type="checkbox"
          aria-label={`Choose item ${index + 1}`}
          checked={isChosen}
          onChange={(event) => onChoose(item, event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
      )}
      <span className="w-12 shrink-0 text-right text-xs text-soft tabular-nums">{(index + 1).toLocaleString()}</span>
      {item === undefined ? (
        <span aria-hidden className="h-3.5 w-1/3 animate-breathe rounded-control bg-line" />
      ) : (
        <code className="min-w-0 truncate font-mono text-sm" title={item}>
          {item}
        </code>
      )}
    </label>
  )
}

function ClearDialog({ path, total, onClose }: { path: ProductPath; total: number; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => clearItems(path),
    onSuccess: () => {
      onClose()
      toast('Items cleared', {
        label: 'Undo',
        onAct: () =>
          void restoreItems(path).then(
            (message) => toast(message),
            (failure: unknown) => toast(`Not brought back: ${failureOf(failure).message}`),
          ),
      })
    },
  })
  return (
    <ConfirmDialog
      title={total === 1 ? 'Clear 1 item?' : `Clear all ${total.toLocaleString()} items?`}
      act="Clear items"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      They can no longer be sold. You can bring them back for 30 days; then they are gone. What was delivered stays with
      its orders.
    </ConfirmDialog>
  )
}
