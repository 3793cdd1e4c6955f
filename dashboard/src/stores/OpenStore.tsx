import { lazy, Suspense } from 'react'

const OpenStoreDialog = lazy(async () => {
  const { OpenStoreDialog: dialog } = await import('./OpenStoreDialog.tsx')
  return { default: dialog }
})

/** Loaded when it is asked for: most days nobody opens a store. */
export function OpenStore({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <OpenStoreDialog onClose={onClose} />
    </Suspense>
  )
}
