import { Skeleton } from '../ui/Skeleton.tsx'

export function SkeletonFigures() {
  return (
    <output className="block rounded-card border border-line bg-surface">
      <span className="sr-only">Loading</span>
      <div className="grid grid-cols-2 gap-6 p-5 lg:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className="flex flex-col gap-2">
            <Skeleton className="h-3.5 w-20" />
            <Skeleton className="h-7 w-28" />
            <Skeleton className="h-3.5 w-16" />
          </div>
        ))}
      </div>
      <div className="border-t border-line p-5">
        <Skeleton className="h-44 w-full sm:h-56" />
      </div>
    </output>
  )
}
