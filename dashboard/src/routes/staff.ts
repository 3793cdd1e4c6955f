import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { textOf } from '../search.ts'
import { inside } from './workbench.ts'

const doneOf = (search: Record<string, unknown>): { state?: 'done' } =>
  search['state'] === 'done' ? { state: 'done' } : {}

/** What staff see; the API answers nobody else. */
export const staffPages = [
  createRoute({
    ...inside('/staff/reports'),
    validateSearch: doneOf,
    component: lazyRouteComponent(() => import('../staff/StaffReportsPage.tsx'), 'StaffReportsPage'),
  }),
  createRoute({
    ...inside('/staff/flagged-reviews'),
    validateSearch: doneOf,
    component: lazyRouteComponent(() => import('../staff/StaffFlagsPage.tsx'), 'StaffFlagsPage'),
  }),
  createRoute({
    ...inside('/staff/stores'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('../staff/StaffStoresPage.tsx'), 'StaffStoresPage'),
  }),
  createRoute({
    ...inside('/staff/stores/$staffStoreId'),
    component: lazyRouteComponent(() => import('../staff/StaffStorePage.tsx'), 'StaffStorePage'),
  }),
  createRoute({
    ...inside('/staff/users'),
    validateSearch: (search) => textOf(search, 'query'),
    component: lazyRouteComponent(() => import('../staff/StaffUsersPage.tsx'), 'StaffUsersPage'),
  }),
  createRoute({
    ...inside('/staff/log'),
    component: lazyRouteComponent(() => import('../staff/StaffLogPage.tsx'), 'StaffLogPage'),
  }),
] as const
