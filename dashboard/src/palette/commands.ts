import { useSuspenseQuery } from '@tanstack/react-query'
import { Download, Keyboard, LogOut, Plus, Store, SunMoon, UserCog } from 'lucide-react'
import { accountQuery, leave } from '../account/account.ts'
import { csvAddress } from '../orders/orders.ts'
import { chooseStore } from '../stores/chosen-store.ts'
import { useRights } from '../stores/rights.ts'
import { showOverlay } from '../workbench/shortcuts.ts'
import { useSections } from '../workbench/use-sections.ts'
import type { Entry } from './entry.ts'

/** The pages and the acts that need no search. */
export function useCommands(): Entry[] {
  const { data: account } = useSuspenseQuery(accountQuery)
  const { sections, storeId } = useSections()
  const may = useRights()
  const pages = sections.flatMap(({ links }) =>
    links.map(({ to, label, icon, goKey }) => ({
      group: 'Pages',
      id: `page ${to}`,
      label,
      icon,
      path: to.replace('$storeId', storeId),
      ...(goKey === undefined ? {} : { hint: `g ${goKey}` }),
    })),
  )
  const inStore: Entry[] =
    storeId === ''
      ? []
      : [
          ...(may('CreateProducts')
            ? [
                {
                  group: 'Acts',
                  id: 'product',
                  label: 'Create product',
                  icon: Plus,
                  path: `/stores/${storeId}/products/new`,
                },
              ]
            : []),
          ...(may('CreateCoupons')
            ? [
                {
                  group: 'Acts',
                  id: 'coupon',
                  label: 'Create coupon',
                  icon: Plus,
                  path: `/stores/${storeId}/coupons/new`,
                },
              ]
            : []),
          ...(may('ViewOrders')
            ? [
                {
                  group: 'Acts',
                  id: 'csv',
                  label: 'Download orders as CSV',
                  icon: Download,
                  run: () => location.assign(csvAddress(storeId)),
                },
              ]
            : []),
        ]
  return [
    ...pages,
    { group: 'Pages', id: 'page account', label: 'Account', icon: UserCog, path: '/account' },
    ...inStore,
    { group: 'Acts', id: 'key', label: 'Make key', icon: Plus, path: '/keys/new' },
    { group: 'Acts', id: 'theme', label: 'Switch light and dark', icon: SunMoon, run: switchTheme },
    {
      group: 'Acts',
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      hint: '?',
      icon: Keyboard,
      run: () => showOverlay('shortcuts'),
    },
    { group: 'Acts', id: 'leave', label: 'Sign out', icon: LogOut, run: () => void leave() },
    ...account.stores
      .filter(({ id }) => id !== storeId)
      .map(({ id, name }) => ({
        group: 'Stores',
        id: `store ${id}`,
        label: name,
        icon: Store,
        path: '/',
        run: () => chooseStore(id),
      })),
  ]
}

function switchTheme() {
  const next = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'
  try {
    localStorage.setItem('theme', next)
  } catch {
    return
  }
  dispatchEvent(new Event('themechosen'))
}
