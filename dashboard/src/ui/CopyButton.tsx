import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <Button onClick={copy}>
      {isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}

export function useCopy(text: string) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setIsCopied(false), 2000) : undefined
    return () => clearTimeout(timer)
  }, [isCopied])
  return { isCopied, copy: () => void write(text).then(setIsCopied) }
}

/** The clipboard exists on https and on localhost alone; elsewhere the older way still works. */
async function write(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    return isDone
  }
}
