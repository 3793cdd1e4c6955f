import { endpoint } from '../endpoint.ts'
import { PageQuery, page, StaffPageQuery } from '../envelope.ts'
import { StaffAct, StoreAct } from '../shapes/act.ts'

export const listStoreActs = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/audit-log/{page}',
  access: 'UpdateStores',
  beside: true,
  summary: "List a store's audit log by page",
  description: 'Every change that the owner, a member, an API key or the staff made to the store, newest first.',
  query: PageQuery,
  reply: page(StoreAct),
})

export const listStaffActs = endpoint({
  method: 'GET',
  path: '/staff/audit-log',
  access: 'staff',
  beside: true,
  summary: 'List what the staff did',
  description: 'Newest first.',
  query: StaffPageQuery,
  reply: page(StaffAct),
})
