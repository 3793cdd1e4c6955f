import { Check, Copy } from 'lucide-react'
import { useCopy } from './CopyButton.tsx'

/** A long id, shortened in the middle; a click copies all of it. */
export function CodeText({ text, name }: { text: string; name: string }) {
  const { isCopied, copy } = useCopy(text)
  const Icon = isCopied ? Check : Copy
  const isLong = text.length > 20
  return (
    <button
      type="button"
      onClick={copy}
      title={text}
      className="group -mx-1.5 inline-flex max-w-full items-center gap-1.5 rounded-control px-1.5 font-mono text-sm text-soft hover:bg-sunken hover:text-text"
    >
      <span className="truncate">{isLong ? `${text.slice(0, 8)}…${text.slice(-4)}` : text}</span>
      <span className="sr-only" aria-live="polite">
        {isCopied ? `${name} copied` : `Copy ${name}`}
      </span>
      <Icon
        aria-hidden
        className={`size-3.5 shrink-0 ${isCopied ? 'text-success' : 'opacity-60 group-hover:opacity-100'}`}
      />
    </button>
  )
}
