import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'

const shapes = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-control bg-surface hover:bg-sunken',
  quiet: 'text-soft hover:bg-sunken hover:text-text',
  danger: 'bg-danger-fill text-on-accent hover:brightness-95',
  dangerQuiet: 'text-danger hover:bg-danger-soft',
}

export type ButtonShape = keyof typeof shapes

/** Also for links that act as the page's button. */
export function buttonClass(shape: ButtonShape) {
  return `inline-flex h-9 pointer-coarse:h-11 shrink-0 select-none items-center justify-center gap-2 rounded-control px-3.5 text-base font-medium whitespace-nowrap transition-colors disabled:opacity-55 disabled:pointer-events-none [&_svg]:size-4 [&_svg]:shrink-0 ${shapes[shape]}`
}

export function Button({
  shape = 'secondary',
  isBusy = false,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & { shape?: ButtonShape; isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      className={`${buttonClass(shape)} ${className}`}
    >
      {isBusy && <LoaderCircle aria-hidden className="animate-turn" />}
      {children}
    </button>
  )
}
