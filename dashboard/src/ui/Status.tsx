import type { ReactNode } from 'react'

const colours = {
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  information: 'bg-information-soft text-information',
  neutral: 'bg-sunken text-soft',
}

/** Colour never speaks alone: a dot and a word. */
export function Status({ kind, children }: { kind: keyof typeof colours; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${colours[kind]}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {children}
    </span>
  )
}
