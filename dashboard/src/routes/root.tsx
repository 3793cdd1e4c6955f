import { createRootRoute, Outlet } from '@tanstack/react-router'
import { Toasts } from '../ui/Toast.tsx'

export const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Toasts />
    </>
  ),
})
