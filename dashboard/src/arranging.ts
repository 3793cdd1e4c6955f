import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './api.ts'

let turn: Promise<unknown> = Promise.resolve()

/**
 * Shown in the new order at once, and as it was when that could not be saved.
 * Sent in turn: of two on their way at once the former could arrive last and stay.
 */
export async function arrange<Data>(
  { queryKey }: { queryKey: QueryKey },
  arranged: Data,
  save: () => Promise<unknown>,
): Promise<void> {
  // What is on its way is older than this.
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData<Data>(queryKey)
  const shown = queryClient.setQueryData<Data>(queryKey, arranged)
  const saved = turn.then(save)
  const own = saved.catch(() => undefined)
  turn = own
  try {
    await saved
    // Whoever asked while it was saved may have been told the former order. A later arrangement sees to that itself.
    if (turn === own && isElse(queryKey, shown)) void queryClient.invalidateQueries({ queryKey })
  } catch (error) {
    if (queryClient.getQueryData(queryKey) === shown) queryClient.setQueryData<Data>(queryKey, before)
    void queryClient.invalidateQueries({ queryKey })
    throw error
  }
}

function isElse(queryKey: QueryKey, shown: unknown): boolean {
  const state = queryClient.getQueryState(queryKey)
  return state?.fetchStatus === 'fetching' || state?.data !== shown
}
