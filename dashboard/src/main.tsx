import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { router } from './routes.ts'
import { RefusedPage } from './ui/RefusedPage.tsx'

// After an upgrade the parts of the old dashboard are gone: the page is loaded anew, once.
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem('reloadedAt') === location.href) return
  sessionStorage.setItem('reloadedAt', location.href)
  event.preventDefault()
  location.reload()
})

const place = document.getElementById('root')
const failure = document.querySelector<HTMLMetaElement>('meta[name=failure]')
if (place) {
  createRoot(place).render(
    <StrictMode>
      {failure ? (
        <RefusedPage message={failure.content} requestId={failure.dataset['requestId']} />
      ) : (
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      )}
    </StrictMode>,
  )
}
