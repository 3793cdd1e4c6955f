import { createRouter } from '@tanstack/react-router'
import { doors } from './routes/doors.ts'
import { root } from './routes/root.tsx'
import { staffPages } from './routes/staff.ts'
import { store, storePages } from './routes/store.ts'
import { pages, workbench } from './routes/workbench.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { FailedPage } from './ui/FailedPage.tsx'
import { NotFoundPage } from './ui/NotFoundPage.tsx'

export const router = createRouter({
  routeTree: root.addChildren([
    ...doors,
    workbench.addChildren([...pages, ...staffPages, store.addChildren(storePages)]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: FailedPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
