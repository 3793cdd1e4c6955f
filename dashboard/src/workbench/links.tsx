import { Link, useNavigate } from '@tanstack/react-router'
import { CircleUser, Ellipsis, Search } from 'lucide-react'
import { Menu, MenuHead, MenuItem } from '../ui/Menu.tsx'
import { openPalette } from './shortcuts.ts'
import { useSections } from './use-sections.ts'

export function RailLinks() {
  const { sections, storeId } = useSections()
  return (
    <nav aria-label="Sections" className="-mx-1 flex flex-1 flex-col gap-5 overflow-y-auto px-1 py-1">
      {sections.map((section) => (
        <div key={section.title ?? ''} className="flex flex-col gap-0.5">
          {section.title !== undefined && (
            <span className="px-2.5 pb-1 text-xs font-medium text-soft">{section.title}</span>
          )}
          {section.links.map(({ to, label, icon: Icon }) => (
            <Link
              key={label}
              to={to}
              params={{ storeId }}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex h-9 shrink-0 items-center gap-2.5 rounded-control px-2.5 font-medium text-soft transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:text-text"
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

const barItem =
  'flex h-14 flex-col items-center justify-center gap-1 text-xs font-medium text-soft -outline-offset-2 aria-[current=page]:text-accent-text data-[state=open]:text-accent-text'

export function BottomBar() {
  const { sections, storeId } = useSections()
  const links = sections.flatMap((section) => section.links)
  return (
    <nav
      aria-label="Sections"
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-page pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {links
        .filter(({ isFirst }) => isFirst)
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={label}
            to={to}
            params={{ storeId }}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={barItem}
          >
            <Icon aria-hidden className="size-5" />
            {label}
          </Link>
        ))}
      <MoreMenu />
    </nav>
  )
}

function MoreMenu() {
  const { sections, storeId } = useSections()
  const navigate = useNavigate()
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={barItem}>
          <Ellipsis aria-hidden className="size-5" />
          More
        </button>
      }
    >
      <MenuItem onSelect={openPalette}>
        <Search aria-hidden />
        Search
      </MenuItem>
      {sections.map((section) => (
        <div key={section.title ?? ''}>
          {section.title !== undefined && <MenuHead>{section.title}</MenuHead>}
          {section.links
            .filter(({ isFirst }) => !isFirst)
            .map(({ to, label, icon: Icon }) => (
              <MenuItem key={label} onSelect={() => void navigate({ to, params: { storeId } })}>
                <Icon aria-hidden />
                {label}
              </MenuItem>
            ))}
        </div>
      ))}
      <MenuItem onSelect={() => void navigate({ to: '/account' })}>
        <CircleUser aria-hidden />
        Account
      </MenuItem>
    </Menu>
  )
}
