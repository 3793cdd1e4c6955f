import { conflict } from '#problem'
import type { StoreRow } from '#stores/tables'

/** No buyer begins to pay a store that is closed. Money that comes anyway is taken down: it is somebody's. */
export function refuseClosed({ closedAt }: StoreRow): void {
  if (closedAt !== null) throw conflict('The store is closed: nothing can be paid here')
}
