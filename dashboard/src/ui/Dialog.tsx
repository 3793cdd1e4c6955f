import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

/**
 * The browser's own modal: it keeps focus, closes on Escape and makes the rest inert. Libraries lock scrolling with a
 * style element, which the page's policy forbids; here the stylesheet does it.
 */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    dialog?.querySelector('input')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-auto w-[calc(100%-32px)] max-w-md animate-rise rounded-card border border-line bg-raised text-text shadow-float backdrop:bg-scrim max-sm:mb-4"
    >
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
}

export function ConfirmDialog({
  title,
  act,
  failure,
  isBusy = false,
  isDangerous = true,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  /** The button: a verb with its object. */
  act: string
  failure?: string | undefined
  isBusy?: boolean
  isDangerous?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-soft">{children}</div>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button shape={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
          {act}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
