import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readConsentSearch } from '../oauth2/search.ts'
import { textOf } from '../search.ts'
import { askToSignIn } from './ask-to-sign-in.ts'
import { root } from './root.tsx'

const guest = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

/** The pages outside the workbench. */
export const doors = [
  createRoute({
    ...guest('/sign-in'),
    validateSearch: (search) => textOf(search, 'next'),
    component: lazyRouteComponent(() => import('../account/SignInPage.tsx'), 'SignInPage'),
  }),
  createRoute({
    ...guest('/sign-up'),
    validateSearch: (search) => ({ ...textOf(search, 'ref'), ...textOf(search, 'next') }),
    component: lazyRouteComponent(() => import('../account/SignUpPage.tsx'), 'SignUpPage'),
  }),
  createRoute({
    ...guest('/confirm'),
    validateSearch: (search) => textOf(search, 'token'),
    component: lazyRouteComponent(() => import('../account/ConfirmPage.tsx'), 'ConfirmPage'),
  }),
  createRoute({
    ...guest('/confirm-email'),
    validateSearch: (search) => textOf(search, 'token'),
    component: lazyRouteComponent(() => import('../account/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  }),
  createRoute({
    ...guest('/forgot-password'),
    component: lazyRouteComponent(() => import('../account/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    ...guest('/reset-password'),
    validateSearch: (search) => textOf(search, 'token'),
    component: lazyRouteComponent(() => import('../account/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    ...guest('/invitation'),
    validateSearch: (search) => ({ ...textOf(search, 'store'), ...textOf(search, 'token') }),
    component: lazyRouteComponent(() => import('../members/InvitationPage.tsx'), 'InvitationPage'),
  }),
  createRoute({
    ...guest('/development/mails'),
    component: lazyRouteComponent(() => import('../development/MailsPage.tsx'), 'MailsPage'),
  }),
  createRoute({
    ...guest('/oauth2/$appId'),
    validateSearch: readConsentSearch,
    beforeLoad: askToSignIn,
    component: lazyRouteComponent(() => import('../oauth2/ConsentPage.tsx'), 'ConsentPage'),
  }),
] as const
