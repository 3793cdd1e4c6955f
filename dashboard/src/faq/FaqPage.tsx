import type { FaqEntry } from '@keystall/contract/shapes/faq'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MessageCircleQuestionMark, Plus } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { SettingsFrame } from '../stores/SettingsFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Handle, useReorder } from '../ui/Reorder.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { FaqEditor } from './FaqEditor.tsx'
import { addFaqEntry, arrangeFaq, faqQuery, removeFaqEntry } from './faq.ts'

export function FaqPage() {
  const store = useCurrentStore()
  const faq = useQuery(faqQuery(store.id))
  const mayUpdate = useMay('UpdateStores')
  const [isAdding, setIsAdding] = useState(false)
  const add = mayUpdate && !isAdding && (
    <Button shape="primary" onClick={() => setIsAdding(true)}>
      <Plus aria-hidden />
      Add question
    </Button>
  )
  return (
    <SettingsFrame
      words="Questions and answers at the foot of the store's home page."
      act={faq.data?.length ? add : undefined}
    >
      {isAdding && <FaqEditor storeId={store.id} onClose={() => setIsAdding(false)} />}
      {faq.isPending ? (
        <SkeletonRows />
      ) : faq.isError ? (
        <ErrorState error={faq.error} onRetry={() => void faq.refetch()} />
      ) : faq.data.length > 0 ? (
        <FaqList storeId={store.id} entries={faq.data} mayUpdate={mayUpdate} />
      ) : (
        !isAdding && (
          <EmptyState
            icon={MessageCircleQuestionMark}
            title="No questions yet"
            words="When is it delivered? Can I have my money back? Answer once what buyers ask again and again."
            act={add}
          />
        )
      )}
    </SettingsFrame>
  )
}

function FaqList({
  storeId,
  entries,
  mayUpdate,
}: {
  storeId: string
  entries: readonly FaqEntry[]
  mayUpdate: boolean
}) {
  const [editing, setEditing] = useState<string>()
  const arrange = useMutation({ mutationFn: (next: readonly FaqEntry[]) => arrangeFaq(storeId, next) })
  const remove = useMutation({
    mutationFn: (entry: FaqEntry) => removeFaqEntry(storeId, entry.id),
    onSuccess: (_, { key, value }) =>
      toast('Question deleted', {
        label: 'Undo',
        onAct: () =>
          void addFaqEntry(storeId, { title: key, description: value }).catch((failure: unknown) =>
            toast(`Not brought back: ${failureOf(failure).message}`),
          ),
      }),
  })
  const { shown, listRef, gripOf, said } = useReorder({
    rows: entries,
    keyOf: ({ id }) => id,
    nameOf: ({ key }) => key,
    onArrange: arrange.mutate,
  })
  const failure = arrange.error ?? remove.error
  return (
    <div className="flex flex-col gap-3">
      {failure && <Notice kind="danger">{failureOf(failure).message}</Notice>}
      <ul ref={listRef} aria-label="Questions" className="flex flex-col gap-3">
        {shown.map((entry) => (
          <li key={entry.id}>
            {editing === entry.id ? (
              <FaqEditor storeId={storeId} entry={entry} onClose={() => setEditing(undefined)} />
            ) : (
              <Card className={`flex items-start gap-2 p-2 ${gripOf(entry).isHeld ? 'shadow-float' : ''}`}>
                {mayUpdate && entries.length > 1 && <Handle grip={gripOf(entry)} />}
                <div className="min-w-0 flex-1 py-1.5 pl-1">
                  <h2 className="text-base wrap-anywhere">{entry.key}</h2>
                  <p className="line-clamp-2 text-sm whitespace-pre-line text-soft wrap-anywhere">{entry.value}</p>
                </div>
                {mayUpdate && (
                  <span className="flex max-sm:flex-col">
                    <Button shape="quiet" aria-label={`Edit ${entry.key}`} onClick={() => setEditing(entry.id)}>
                      Edit
                    </Button>
                    <Button
                      shape="dangerQuiet"
                      aria-label={`Delete ${entry.key}`}
                      disabled={remove.isPending}
                      onClick={() => remove.mutate(entry)}
                    >
                      Delete
                    </Button>
                  </span>
                )}
              </Card>
            )}
          </li>
        ))}
      </ul>
      <output className="sr-only">{said}</output>
    </div>
  )
}
