import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { router } from './routes.tsx'

// After an upgrade the parts of the old dashboard are gone: the page is loaded anew, once.
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem('reloadedAt') === location.href) return
  sessionStorage.setItem('reloadedAt', location.href)
  event.preventDefault()
  location.reload()
})

const place = document.getElementById('root')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
