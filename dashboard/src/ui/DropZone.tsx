import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from './Button.tsx'

/** Takes files by drop or by the system's own dialog. */
export function DropZone({
  act,
  words,
  accept,
  isMultiple = false,
  isDisabled = false,
  onFiles,
}: {
  /** The button: a verb with its object. */
  act: string
  words: ReactNode
  accept?: string
  isMultiple?: boolean
  isDisabled?: boolean
  onFiles: (files: File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)

  function take(files: FileList | null) {
    const chosen = [...(files ?? [])].slice(0, isMultiple ? undefined : 1)
    if (chosen.length > 0 && !isDisabled) onFiles(chosen)
  }

  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsOver(is && !isDisabled)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button inside does the same by keyboard
    <div
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event)
        take(event.dataTransfer.files)
      }}
      className={`flex flex-wrap items-center justify-between gap-3 rounded-card border border-dashed px-4 py-3 transition-colors ${isOver ? 'border-accent bg-accent-soft' : 'border-line-control/60'}`}
    >
      <span className="min-w-0 text-sm text-soft">{words}</span>
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {act}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={act}
        accept={accept}
        multiple={isMultiple}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
    </div>
  )
}
