import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

export interface Tab {
  to: NonNullable<LinkProps['to']>
  label: string
  /** Lit on this address alone, not on those below it. */
  isExact?: boolean
}

/** The pages of one section, side by side; on a phone the row scrolls. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>('[aria-current=page]')
    if (chosen && row.current) row.current.scrollLeft = chosen.offsetLeft - row.current.clientWidth / 3
  }, [pathname])
  return (
    <nav
      ref={row}
      aria-label={label}
      className="relative -mx-4 overflow-x-auto px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      <div className="flex min-w-max gap-1 border-b border-line">
        {tabs.map(({ to, label: name, isExact = false }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: isExact, includeSearch: false }}
            className="-mb-px flex h-10 items-center border-b-2 border-transparent px-3 font-medium text-soft -outline-offset-2 transition-colors hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text pointer-coarse:h-11"
          >
            {name}
          </Link>
        ))}
      </div>
    </nav>
  )
}
