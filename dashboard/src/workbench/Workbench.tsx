import { Outlet } from '@tanstack/react-router'
import { Mark } from '../ui/Logo.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { BottomBar, RailLinks } from './links.tsx'
import { StoreSwitcher } from './StoreSwitcher.tsx'

/** The frame of every page behind the door: a rail at the left, on a phone a bar at the bottom. */
export function Workbench() {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[240px_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-3 left-3 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 flex h-dvh flex-col gap-6 border-r border-line p-3 max-md:hidden">
        <StoreSwitcher />
        <RailLinks />
        <div className="mt-auto">
          <AccountMenu />
        </div>
      </aside>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-page px-2 md:hidden">
        <Mark className="ml-2 size-6 shrink-0 text-accent-text" />
        <div className="min-w-0 flex-1">
          <StoreSwitcher />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none max-md:pb-20">
        <Outlet />
      </main>
      <BottomBar />
    </div>
  )
}
