import { useBlocker } from '@tanstack/react-router'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './Dialog.tsx'

/** Appears when something changed; leaving the page then asks first. Stands inside the form that it saves. */
export function SaveBar({ isDirty, isBusy, onRevert }: { isDirty: boolean; isBusy: boolean; onRevert: () => void }) {
  return (
    <>
      {isDirty && (
        <div className="sticky bottom-20 z-10 flex animate-rise items-center justify-between gap-2 rounded-card border border-line bg-raised py-2.5 pr-2.5 pl-4 shadow-float md:bottom-6">
          <span className="font-medium">Not saved</span>
          <span className="flex gap-1 sm:gap-2">
            <Button shape="quiet" onClick={onRevert} disabled={isBusy}>
              Discard
            </Button>
            <Button shape="primary" type="submit" isBusy={isBusy}>
              Save changes
            </Button>
          </span>
        </div>
      )}
      <SaveGuard isDirty={isDirty} />
    </>
  )
}

/** Asks before a page is left with something on it that is not saved. */
export function SaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (leaving.status !== 'blocked') return null
  return (
    <ConfirmDialog title="Leave without saving?" act="Leave page" onConfirm={leaving.proceed} onClose={leaving.reset}>
      The changes on this page are not saved yet and would be lost.
    </ConfirmDialog>
  )
}
