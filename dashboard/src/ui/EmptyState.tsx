import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function EmptyState({
  icon: Icon,
  title,
  words,
  act,
}: {
  icon: LucideIcon
  title: string
  words: ReactNode
  act?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-card border border-dashed border-line-control/60 px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent-text">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="flex max-w-sm flex-col gap-1.5">
        <h2 className="text-lg">{title}</h2>
        <p className="text-soft">{words}</p>
      </div>
      {act}
    </div>
  )
}
