import { Check, Copy } from 'lucide-react'
import { useCopy } from './CopyButton.tsx'

/** A text to be copied whole, and shown whole. */
export function CopyText({ text, name }: { text: string; name: string }) {
  const { isCopied, copy } = useCopy(text)
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      onClick={copy}
      className="group -mx-1.5 flex items-start gap-2 rounded-control px-1.5 py-0.5 text-left font-mono text-sm hover:bg-sunken"
    >
      <span className="min-w-0 wrap-anywhere">{text}</span>
      <span className="sr-only" aria-live="polite">
        {isCopied ? `${name} copied` : `Copy the ${name}`}
      </span>
      <Icon
        aria-hidden
        className={`mt-0.5 size-3.5 shrink-0 ${isCopied ? 'text-success' : 'text-soft opacity-60 group-hover:opacity-100'}`}
      />
    </button>
  )
}
