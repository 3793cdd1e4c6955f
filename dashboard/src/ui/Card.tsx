import { type ReactNode, useId } from 'react'

export function Card({ className = '', children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-card border border-line bg-surface ${className}`}>{children}</div>
}

/** A named part of a page: its title and sentence at the left where there is room, its card at the right. */
export function Section({
  id,
  title,
  words,
  children,
}: {
  id?: string
  title: string
  words?: ReactNode
  children: ReactNode
}) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className="grid scroll-mt-8 items-start grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-4 lg:grid-cols-[240px_minmax(0,1fr)]"
    >
      <div className="flex flex-col gap-1.5 lg:pt-1">
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        {words !== undefined && <p className="text-sm text-soft">{words}</p>}
      </div>
      <Card className="p-4 sm:p-6">{children}</Card>
    </section>
  )
}
