import { listStaffActs } from '@keystall/contract/endpoints/audit-log'
import { listReportsForStaff, resolveReport } from '@keystall/contract/endpoints/reports'
import { decideFlag, type DecisionForm, listFlagsForStaff } from '@keystall/contract/endpoints/reviews'
import * as contract from '@keystall/contract/endpoints/staff'
import type { StaffAct } from '@keystall/contract/shapes/act'
import type { StaffFlag } from '@keystall/contract/shapes/review'
import type { StaffProduct, StaffReport, StaffStore, StaffUser } from '@keystall/contract/shapes/staff'
import { queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

const key = ['staff']
const reload = () => queryClient.invalidateQueries({ queryKey: key })
const paged = (page: number) => ({ page, count: rowsAPage })

export const flagPage =
  (isDecided: boolean) =>
  (page: number): PageQuery<StaffFlag> => ({
    queryKey: [...key, 'flags', isDecided, page],
    queryFn: ({ signal }) => send(listFlagsForStaff, { query: { ...paged(page), isDecided }, signal }),
  })

export const storePage =
  (search: string | undefined) =>
  (page: number): PageQuery<StaffStore> => ({
    queryKey: [...key, 'stores', search ?? '', page],
    queryFn: ({ signal }) =>
      send(contract.listStoresForStaff, { query: { ...paged(page), ...(search ? { search } : {}) }, signal }),
  })

export const productPage =
  (storeId: string) =>
  (page: number): PageQuery<StaffProduct> => ({
    queryKey: [...key, 'products', storeId, page],
    queryFn: ({ signal }) => send(contract.listProductsForStaff, { path: { storeId }, query: paged(page), signal }),
  })

export const userPage =
  (search: string | undefined) =>
  (page: number): PageQuery<StaffUser> => ({
    queryKey: [...key, 'users', search ?? '', page],
    queryFn: ({ signal }) =>
      send(contract.listUsersForStaff, { query: { ...paged(page), ...(search ? { search } : {}) }, signal }),
  })

export const reportPage =
  (isResolved: boolean) =>
  (page: number): PageQuery<StaffReport> => ({
    queryKey: [...key, 'reports', isResolved, page],
    queryFn: ({ signal }) => send(listReportsForStaff, { query: { ...paged(page), isResolved }, signal }),
  })

export const staffActPage = (page: number): PageQuery<StaffAct> => ({
  queryKey: [...key, 'log', page],
  queryFn: ({ signal }) => send(listStaffActs, { query: paged(page), signal }),
})

export async function decide(flagId: string, body: DecisionForm) {
  await send(decideFlag, { path: { flagId }, body })
  await reload()
}

export async function closeReport(reportId: string, note: string) {
  await send(resolveReport, { path: { reportId }, body: { note: note.trim() === '' ? null : note } })
  await reload()
}

export async function verify(storeId: string, isVerified: boolean) {
  await send(contract.verifyStore, { path: { storeId }, body: { isVerified } })
  await reload()
}

export async function setHold(product: { storeId: string; productId: string }, isHeld: boolean, reason: string) {
  await send(isHeld ? contract.holdProduct : contract.releaseProduct, { path: product, body: { reason } })
  await reload()
}

export async function setDisabled(userId: string, isDisabled: boolean, reason: string) {
  await send(isDisabled ? contract.disableUser : contract.enableUser, { path: { userId }, body: { reason } })
  await reload()
}
