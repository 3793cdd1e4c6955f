import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { accountQuery } from '../account/account.ts'
import { useLiveFeed } from '../live/feed.ts'
import { useChosenStore } from '../stores/chosen-store.ts'
import { useMay } from '../stores/rights.ts'
import { Mark } from '../ui/Logo.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { BottomBar, RailLinks } from './links.tsx'
import { OfflineNotice } from './OfflineNotice.tsx'
import { Overlays } from './Overlays.tsx'
import { StoreSwitcher } from './StoreSwitcher.tsx'
import { openPalette } from './shortcuts.ts'

/** The frame of every page behind the door: a rail at the left, on a phone a bar at the bottom. */
export function Workbench() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const store = useChosenStore(account.stores)
  useLiveFeed(store?.id, useMay('ViewOrders'))
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[240px_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-3 left-3 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <OfflineNotice />
      <aside
        aria-label="Workbench"
        className="sticky top-0 flex h-dvh flex-col gap-3 border-r border-line p-3 max-md:hidden"
      >
        <StoreSwitcher />
        <button
          type="button"
          onClick={openPalette}
          aria-keyshortcuts="Control+K Meta+K"
          className="flex h-9 shrink-0 items-center gap-2.5 rounded-control border border-line-control/60 bg-surface px-2.5 text-soft transition-colors hover:bg-sunken"
        >
          <Search aria-hidden className="size-4 shrink-0" />
          <span className="flex-1 text-left">Search</span>
          <kbd className="font-sans text-xs">{/Mac/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
        <RailLinks />
        <AccountMenu />
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
      <Overlays />
    </div>
  )
}
