import { listStoreActs } from '@keystall/contract/endpoints/audit-log'
import type { StoreAct } from '@keystall/contract/shapes/act'
import { send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

export const actPage =
  (storeId: string) =>
  (page: number): PageQuery<StoreAct> => ({
    queryKey: ['audit-log', storeId, page],
    queryFn: ({ signal }) => send(listStoreActs, { path: { storeId, page }, query: { count: rowsAPage }, signal }),
  })
