import { FaqForm } from '@keystall/contract/endpoints/faq'
import type { FaqEntry } from '@keystall/contract/shapes/faq'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { MarkdownInput } from '../ui/MarkdownInput.tsx'
import { SaveGuard } from '../ui/SaveBar.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { addFaqEntry, updateFaqEntry } from './faq.ts'

export function FaqEditor({ storeId, entry, onClose }: { storeId: string; entry?: FaqEntry; onClose: () => void }) {
  const form = useForm({
    initial: { title: entry?.key ?? '', description: entry?.value ?? '' },
    send: async (values) => {
      if (entry) await updateFaqEntry(storeId, entry.id, values)
      else await addFaqEntry(storeId, values)
    },
    onSent: () => {
      toast(entry ? 'Question saved' : 'Question added')
      onClose()
    },
  })
  const editor = useRef<HTMLFormElement>(null)
  useEffect(() => editor.current?.querySelector('input')?.focus(), [])
  return (
    <Card className="p-4 sm:p-6">
      <form
        ref={editor}
        onSubmit={form.submit}
        noValidate
        aria-label={entry ? 'Edit question' : 'New question'}
        className="flex flex-col gap-6"
      >
        <FormFailure failure={form.failure} />
        <Field label="Question" error={form.errorOf('title')}>
          <TextInput autoComplete="off" {...limits(FaqForm.properties.title)} {...form.text('title')} />
        </Field>
        <Field label="Answer" error={form.errorOf('description')} help="Markdown.">
          <MarkdownInput rows={4} value={form.values.description} onValue={(text) => form.set('description', text)} />
        </Field>
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" shape="primary" isBusy={form.isBusy}>
            {entry ? 'Save question' : 'Add question'}
          </Button>
        </div>
      </form>
      <SaveGuard isDirty={form.isDirty} />
    </Card>
  )
}
