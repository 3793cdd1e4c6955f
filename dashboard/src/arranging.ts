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
  turn = saved.catch(() => undefined)
  try {
    await saved
  } catch (error) {
    if (queryClient.getQueryData(queryKey) === shown) queryClient.setQueryData<Data>(queryKey, before)
    void queryClient.invalidateQueries({ queryKey })
    throw error
  }
}
