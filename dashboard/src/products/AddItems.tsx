import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, useMemo, useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { DropZone } from '../ui/DropZone.tsx'
import { Field } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Progress } from '../ui/Progress.tsx'
import { SaveGuard } from '../ui/SaveBar.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { Duplicates, useDuplicates } from './Duplicates.tsx'
import { batchesOf, linesOf } from './item-lines.ts'
import { appendItems, reloadItems } from './items.ts'
import type { ProductPath } from './products.ts'
import { StagedItems } from './StagedItems.tsx'

/** More lines than this go straight into a list: no text field takes a hundred thousand lines without a stall. */
const typedLinesMax = 500
const fileBytesMax = 200 * 2 ** 20

/** Written, pasted or dropped lines wait here, with what is wrong about them, until they are appended. */
export function AddItems({ path }: { path: ProductPath }) {
  const [typed, setTyped] = useState('')
  const [listed, setListed] = useState<readonly string[]>([])
  const [share, setShare] = useState(0)
  const [fileFailure, setFileFailure] = useState<string>()
  const lines = useMemo(() => (typed === '' ? listed : [...listed, ...linesOf(typed)]), [typed, listed])
  const duplicates = useDuplicates(path, lines)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (items: readonly string[]) => {
      let done = 0
      setShare(0)
      for (const batch of batchesOf(items)) {
        await appendItems(path, batch)
        done += batch.length
        setShare(done / items.length)
        // What has arrived is not sent again, whatever happens to the rest.
        setTyped('')
        setListed(items.slice(done))
      }
      return done
    },
    onSuccess: (count) => toast(count === 1 ? '1 item appended' : `${count.toLocaleString()} items appended`),
    onSettled: () => reloadItems(path),
  })

  const stage = (more: readonly string[]) => setListed((before) => [...before, ...more])

  function paste(event: ClipboardEvent) {
    const pasted = linesOf(event.clipboardData.getData('text/plain'))
    if (pasted.length <= typedLinesMax) return
    event.preventDefault()
    stage(pasted)
  }

  async function read(files: readonly File[]) {
    setFileFailure(undefined)
    for (const file of files) {
      if (file.size > fileBytesMax) setFileFailure(`${file.name} is larger than 200 MB: split it first.`)
      else stage(linesOf(await file.text()))
    }
  }

  return (
    <Section title="Add items" words="One a line. Nothing is saved until you append them.">
      <div className="flex flex-col gap-4">
        {listed.length > 0 && (
          <StagedItems
            lines={listed}
            duplicates={duplicates}
            onRemove={(index) => setListed(listed.toSpliced(index, 1))}
            onClear={() => setListed([])}
          />
        )}
        <Field label="Items, one a line">
          <TextArea
            rows={listed.length > 0 ? 2 : 6}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-sm"
            value={typed}
            onPaste={paste}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <DropZone
          act="Choose file"
          words="Or drop a text file, an item a line."
          accept="text/plain,text/csv,.txt,.csv"
          isMultiple
          onFiles={(files) => void read(files)}
        />
        {fileFailure !== undefined && <Notice kind="danger">{fileFailure}</Notice>}
        {error && (
          <Notice kind="danger">
            {wordsOf(error)} {lines.length.toLocaleString()} of them are still here.
          </Notice>
        )}
        <Duplicates
          lines={lines}
          duplicates={duplicates}
          onLeaveOut={(kept) => {
            setTyped('')
            setListed(kept)
          }}
        />
        {isPending && <Progress label="Appending items" share={share} />}
        <Button
          shape="primary"
          className="self-start"
          isBusy={isPending}
          disabled={lines.length === 0}
          onClick={() => mutate(lines)}
        >
          {lines.length === 0
            ? 'Append items'
            : lines.length === 1
              ? 'Append 1 item'
              : `Append ${lines.length.toLocaleString()} items`}
        </Button>
      </div>
      <SaveGuard isDirty={lines.length > 0 && !isPending} />
    </Section>
  )
}

/** The API names an item by its place in the call; a person looks for the reason. */
function wordsOf(error: unknown) {
  const { message, invalidFields } = failureOf(error)
  const [first] = invalidFields
  return first ? `An item ${first.reason}.` : message
}
