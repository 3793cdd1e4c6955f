import type { ReactNode } from 'react'

/** A form and, where there is room, its preview at the right, as wide as a phone. */
export function EditorFrame({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-8 xl:grid-cols-[minmax(0,1fr)_376px] [&_section]:lg:grid-cols-1">
      <div className="xl:order-last">{preview}</div>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
