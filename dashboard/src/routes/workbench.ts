import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPeriod } from '../analytics/period.ts'
import { askToSignIn } from './ask-to-sign-in.ts'
import { root } from './root.tsx'

export const workbench = createRoute({
  getParentRoute: () => root,
  id: 'workbench',
  beforeLoad: askToSignIn,
  component: lazyRouteComponent(() => import('../workbench/Workbench.tsx'), 'Workbench'),
})

export const inside = <Path extends string>(path: Path) => ({ getParentRoute: () => workbench, path })

export const pages = [
  createRoute({
    ...inside('/'),
    validateSearch: readPeriod,
    component: lazyRouteComponent(() => import('../home/HomePage.tsx'), 'HomePage'),
  }),
  createRoute({
    ...inside('/account'),
    component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
  }),
  createRoute({ ...inside('/apps'), component: lazyRouteComponent(() => import('../apps/AppsPage.tsx'), 'AppsPage') }),
  createRoute({
    ...inside('/apps/new'),
    component: lazyRouteComponent(() => import('../apps/NewAppPage.tsx'), 'NewAppPage'),
  }),
  createRoute({
    ...inside('/apps/$appId'),
    component: lazyRouteComponent(() => import('../apps/AppPage.tsx'), 'AppPage'),
  }),
  createRoute({
    ...inside('/connected-apps'),
    component: lazyRouteComponent(() => import('../apps/ConnectedAppsPage.tsx'), 'ConnectedAppsPage'),
  }),
  createRoute({ ...inside('/keys'), component: lazyRouteComponent(() => import('../keys/KeysPage.tsx'), 'KeysPage') }),
  createRoute({
    ...inside('/keys/new'),
    component: lazyRouteComponent(() => import('../keys/NewKeyPage.tsx'), 'NewKeyPage'),
  }),
] as const
