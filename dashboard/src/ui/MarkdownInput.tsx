import { Bold, Heading2, Italic, Link2, List } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { TextArea } from './TextInput.tsx'

const marks = [
  { label: 'Bold', icon: Bold, before: '**', after: '**', sample: 'bold' },
  { label: 'Italic', icon: Italic, before: '_', after: '_', sample: 'italic' },
  { label: 'Heading', icon: Heading2, before: '\n## ', after: '\n', sample: 'Heading' },
  { label: 'List', icon: List, before: '\n- ', after: '', sample: 'point' },
  { label: 'Link', icon: Link2, before: '[', after: '](https://)', sample: 'words' },
] as const

/** A text in markdown; the buttons write its marks around what is chosen. */
export function MarkdownInput({
  value,
  onValue,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> & {
  value: string
  onValue: (value: string) => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)

  /** Typed as the browser types, so that undo takes it back. */
  function write({ before, after, sample }: (typeof marks)[number]) {
    const field = area.current
    if (!field) return
    const chosen = field.value.slice(field.selectionStart, field.selectionEnd) || sample
    const start = field.selectionStart + before.length
    field.focus()
    document.execCommand('insertText', false, before + chosen + after)
    field.setSelectionRange(start, start + chosen.length)
  }

  return (
    <div className="flex flex-col">
      <div
        role="toolbar"
        aria-label="Formatting"
        className="flex gap-0.5 rounded-t-control border border-b-0 border-line-control bg-sunken p-1"
      >
        {marks.map((mark) => (
          <button
            key={mark.label}
            type="button"
            title={mark.label}
            aria-label={mark.label}
            onClick={() => write(mark)}
            className="grid size-7 place-items-center rounded-[4px] text-soft transition-colors hover:bg-surface hover:text-text pointer-coarse:size-10"
          >
            <mark.icon aria-hidden className="size-4" />
          </button>
        ))}
      </div>
      <TextArea
        rows={7}
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className="rounded-t-none"
      />
    </div>
  )
}
