import * as contract from '@keystall/contract/endpoints/faq'
import type { FaqEntry } from '@keystall/contract/shapes/faq'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { arrange } from '../arranging.ts'

export const faqQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['faq', storeId],
    queryFn: async () => (await send(contract.listFaqEntries, { path: { storeId } })).data,
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: faqQuery(storeId).queryKey })

export async function addFaqEntry(storeId: string, body: contract.FaqForm) {
  const { data } = await send(contract.addFaqEntry, { path: { storeId }, body })
  await reload(storeId)
  return data
}

export async function updateFaqEntry(storeId: string, faqId: string, body: contract.FaqForm) {
  await send(contract.updateFaqEntry, { path: { storeId, faqId }, body })
  await reload(storeId)
}

export async function removeFaqEntry(storeId: string, faqId: string) {
  await send(contract.removeFaqEntry, { path: { storeId, faqId } })
  await reload(storeId)
}

export function arrangeFaq(storeId: string, entries: readonly FaqEntry[]) {
  const body = { ids: entries.map(({ id }) => id) }
  return arrange(faqQuery(storeId), [...entries], () => send(contract.arrangeFaq, { path: { storeId }, body }))
}
