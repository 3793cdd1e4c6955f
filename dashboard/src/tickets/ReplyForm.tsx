import { attachmentsMax, TicketReplyForm } from '@keystall/contract/endpoints/tickets'
import type { TicketAttachment } from '@keystall/contract/shapes/ticket'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageSquareText, Paperclip, Send } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFailure, limits, useForm } from '../ui/form.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { textLink } from '../ui/text-link.ts'
import { TextArea } from '../ui/TextInput.tsx'
import { isTyping } from '../workbench/shortcuts.ts'
import { WaitingFiles } from './Attachments.tsx'
import { attach, cannedRepliesQuery, replyToTicket } from './tickets.ts'

/** What is typed is kept in the tab until it is sent: a reload or a look elsewhere loses nothing. */
export function ReplyForm({ ticketId }: { ticketId: string }) {
  const store = useCurrentStore()
  const canned = useQuery(cannedRepliesQuery(store.id))
  const area = useRef<HTMLTextAreaElement>(null)
  const isTaken = useRef(false)
  const picker = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<TicketAttachment[]>([])
  const upload = useMutation({
    mutationFn: (file: File) => attach(store.id, ticketId, file),
    onSuccess: (file) => setFiles((before) => [...before, file]),
  })
  const draftName = `reply ${ticketId}`
  const form = useForm({
    initial: { message: sessionStorage.getItem(draftName) ?? '' },
    send: ({ message }) => replyToTicket(store.id, ticketId, { message, attachmentIds: files.map(({ id }) => id) }),
    onSent: () => {
      sessionStorage.removeItem(draftName)
      form.revert({ message: '' })
      setFiles([])
      area.current?.focus()
    },
  })
  const { message } = form.values

  useEffect(() => {
    if (message === '') sessionStorage.removeItem(draftName)
    else sessionStorage.setItem(draftName, message)
  }, [message, draftName])

  // With the first paint: who works by keyboard does not wait for more.
  useLayoutEffect(() => {
    const focus = () => area.current?.focus()
    if (location.hash === '#reply') focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'r' || isTyping(event)) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return (
    <form onSubmit={form.submit} noValidate>
      <Card className="flex flex-col gap-3 p-4">
        <FormFailure failure={form.failure} />
        <Field label="Your reply" error={form.errorOf('message')}>
          <TextArea
            ref={area}
            rows={5}
            aria-keyshortcuts="r"
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
            }}
            {...limits(TicketReplyForm.properties.message)}
            {...form.text('message')}
          />
        </Field>
        {upload.error && <FormFailure failure={failureOf(upload.error).message} />}
        <WaitingFiles files={files} onRemove={(fileId) => setFiles(files.filter(({ id }) => id !== fileId))} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="-ml-3.5 flex items-center gap-1">
            {canned.data && canned.data.length > 0 ? (
              <Menu
                side="top"
                onClosed={() => {
                  if (!isTaken.current) return
                  isTaken.current = false
                  area.current?.focus()
                }}
                trigger={
                  <Button shape="quiet">
                    <MessageSquareText aria-hidden />
                    Canned reply
                  </Button>
                }
              >
                {canned.data.map((reply) => (
                  <MenuItem
                    key={reply.title}
                    onSelect={() => {
                      form.set(
                        'message',
                        message.trim() === '' ? reply.message : `${message.trimEnd()}\n\n${reply.message}`,
                      )
                      isTaken.current = true
                    }}
                  >
                    <span className="truncate">{reply.title}</span>
                  </MenuItem>
                ))}
              </Menu>
            ) : (
              <Link
                to="/stores/$storeId/tickets/canned-replies"
                params={{ storeId: store.id }}
                className={`${textLink} text-sm`}
              >
                Keep replies ready
              </Link>
            )}
            <input
              ref={picker}
              type="file"
              aria-label="File to attach"
              tabIndex={-1}
              className="sr-only"
              onChange={(event) => {
                const [file] = event.target.files ?? []
                if (file) upload.mutate(file)
                event.target.value = ''
              }}
            />
            <Button
              shape="quiet"
              isBusy={upload.isPending}
              disabled={files.length >= attachmentsMax}
              onClick={() => picker.current?.click()}
            >
              <Paperclip aria-hidden />
              Attach file
            </Button>
          </span>
          <span className="flex items-center gap-3">
            <span className="text-sm text-soft max-sm:hidden">Ctrl Enter sends</span>
            <Button type="submit" shape="primary" isBusy={form.isBusy} disabled={message.trim() === ''}>
              <Send aria-hidden />
              Send reply
            </Button>
          </span>
        </div>
      </Card>
    </form>
  )
}
