import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Notice } from '../ui/Notice.tsx'

/** The words of a wallet that was made just now, in the order that matters. They cannot be asked for again. */
export function WalletWords({ words, name, onDone }: { words: string; name: string; onDone: () => void }) {
  const [isKept, setIsKept] = useState(false)
  return (
    <section
      aria-label={`Words of the ${name} wallet`}
      className="flex animate-appear flex-col gap-5 border-t border-line p-4 sm:p-6"
    >
      <div className="flex flex-col gap-1">
        <h3 className="font-medium">Write these words down, in this order</h3>
        <p className="text-sm text-soft">
          They are your {name} wallet: any wallet program opens it with them, and so can whoever finds them.
        </p>
      </div>
      <ol className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {words.split(' ').map((word, index) => (
          // The same word may come twice.
          <li key={`${index}-${word}`} className="flex gap-2 rounded-control bg-sunken px-3 py-2 font-mono text-sm">
            <span className="w-5 text-right text-soft select-none">{index + 1}</span>
            {word}
          </li>
        ))}
      </ol>
      <Notice kind="warning">They are not shown again. Without them nobody can move what you are paid.</Notice>
      <Checkbox
        label="I have written them down"
        checked={isKept}
        onChange={(event) => setIsKept(event.target.checked)}
      />
      <div className="flex flex-wrap gap-2">
        <Button shape="primary" disabled={!isKept} onClick={onDone}>
          Done
        </Button>
        <CopyButton text={words} label="Copy all" />
      </div>
    </section>
  )
}
