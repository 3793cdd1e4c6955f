import * as contract from '@keystall/contract/endpoints/members'
import { queryOptions } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { queryClient, send } from '../api.ts'

const keyOf = (storeId: string) => ['members', storeId]

export const membersQuery = (storeId: string) =>
  queryOptions({
    queryKey: keyOf(storeId),
    queryFn: async ({ signal }) => (await send(contract.listMembers, { path: { storeId }, signal })).data,
  })

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: keyOf(storeId) })

export async function inviteMember(storeId: string, body: contract.InvitationForm) {
  const { data } = await send(contract.inviteMember, { path: { storeId }, body })
  await reload(storeId)
  return data
}

export async function resendInvitation(storeId: string, invitationId: string) {
  await send(contract.resendInvitation, { path: { storeId, invitationId } })
  await reload(storeId)
}

export async function withdrawInvitation(storeId: string, invitationId: string) {
  await send(contract.withdrawInvitation, { path: { storeId, invitationId } })
  await reload(storeId)
}

export async function updateMember(storeId: string, memberId: string, body: contract.MemberForm) {
  const { data } = await send(contract.updateMember, { path: { storeId, memberId }, body })
  queryClient.setQueryData(keyOf(storeId), data)
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
}

export async function removeMember(storeId: string, memberId: string) {
  const { data } = await send(contract.removeMember, { path: { storeId, memberId } })
  queryClient.setQueryData(keyOf(storeId), data)
}

export const leaveStore = (storeId: string) => send(contract.leaveStore, { path: { storeId } })

export const invitationQuery = (link: contract.InvitationLink) =>
  queryOptions({
    queryKey: ['invitation', link.storeId, link.token],
    queryFn: async () => (await send(contract.viewInvitation, { body: link })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptInvitation = (body: contract.InvitationLink) => send(contract.acceptInvitation, { body })

export const signUpByInvitation = (body: contract.InvitationSignUpForm) => send(contract.signUpByInvitation, { body })
