import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { accountQuery } from '../account/account.ts'
import { useRights } from '../stores/rights.ts'
import { sections as allSections } from './sections.ts'

/** What the person may open. */
function useSections() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const may = useRights()
  return allSections
    .filter(({ isForStaff }) => !isForStaff || account.isStaff)
    .map((section) => ({ ...section, links: section.links.filter(({ needs }) => !needs || may(needs)) }))
    .filter(({ links }) => links.length > 0)
}

export function RailLinks() {
  const sections = useSections()
  return (
    <nav aria-label="Sections" className="flex flex-col gap-5 overflow-y-auto">
      {sections.map((section) => (
        <div key={section.title ?? ''} className="flex flex-col gap-0.5">
          {section.title !== undefined && (
            <span className="px-2.5 pb-1 text-xs font-medium text-soft">{section.title}</span>
          )}
          {section.links.map(({ to, label, icon: Icon }) => (
            <Link
              key={label}
              to={to}
              activeOptions={{ exact: to === '/' }}
              className="flex h-9 items-center gap-2.5 rounded-control px-2.5 font-medium text-soft transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:text-text"
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {label}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}

export function BottomBar() {
  const sections = useSections()
  const links = [
    ...sections.flatMap((section) => section.links),
    { to: '/account' as const, label: 'Account', icon: CircleUser },
  ]
  return (
    <nav
      aria-label="Sections"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-page pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {links.map(({ to, label, icon: Icon, ...link }) => (
        <Link
          key={label}
          to={to}
          activeOptions={{ exact: to === '/' }}
          className="flex h-14 flex-col items-center justify-center gap-1 text-xs font-medium text-soft -outline-offset-2 aria-[current=page]:text-accent-text"
        >
          <Icon aria-hidden className="size-5" />
          {'shortLabel' in link ? link.shortLabel : label}
        </Link>
      ))}
    </nav>
  )
}
