import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const kinds = {
  success: { icon: CircleCheck, colour: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, colour: 'bg-warning-soft text-warning' },
  danger: { icon: CircleAlert, colour: 'bg-danger-soft text-danger' },
  information: { icon: Info, colour: 'bg-information-soft text-information' },
}

/** A sentence that must be seen, in the flow of the page. Failures are read out at once. */
export function Notice({ kind, children }: { kind: keyof typeof kinds; children: ReactNode }) {
  const { icon: Icon, colour } = kinds[kind]
  return (
    <div
      role={kind === 'danger' ? 'alert' : undefined}
      className={`flex animate-appear items-start gap-2.5 rounded-control px-3 py-2.5 ${colour}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 font-medium">{children}</div>
    </div>
  )
}
