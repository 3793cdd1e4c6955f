import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

/** One of a few things to do; only the next one has its button. */
export function Step({
  number,
  isDone,
  isNext,
  title,
  words,
  act,
}: {
  number: number
  isDone: boolean
  isNext: boolean
  title: string
  words: string
  act?: ReactNode
}) {
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={`flex flex-wrap items-center gap-x-4 gap-y-3 border-line px-4 not-last:border-b sm:px-5 ${isDone ? 'py-2.5' : 'py-4'}`}
    >
      <span
        aria-hidden
        className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold tabular-nums ${isDone ? 'bg-success-soft text-success' : isNext ? 'bg-accent text-on-accent' : 'bg-sunken text-soft'}`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <span className="min-w-0 flex-1">
        <span className={`block font-medium ${isDone ? 'text-soft' : ''}`}>
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </span>
        {!isDone && <span className="block text-sm text-soft">{words}</span>}
      </span>
      {isNext && <span className="max-sm:w-full max-sm:pl-11">{act}</span>}
    </li>
  )
}
