/** Grey lines where text will be. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <div aria-hidden className={`animate-breathe rounded-control bg-line ${className}`} />
}

/** A list that is on its way. */
export function SkeletonRows({ count = 4 }: { count?: number }) {
  return (
    <output className="block overflow-hidden rounded-card border border-line bg-surface">
      <span className="sr-only">Loading</span>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex h-11 items-center gap-8 border-line px-4 not-last:border-b">
          <Skeleton className="h-3.5 w-1/4" />
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </output>
  )
}

export function SkeletonForm({ fields = 3 }: { fields?: number }) {
  return (
    <output className="flex flex-col gap-6">
      <span className="sr-only">Loading</span>
      {Array.from({ length: fields }, (_, field) => (
        <div key={field} className="flex flex-col gap-2">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-9 w-full" />
        </div>
      ))}
    </output>
  )
}
