import type { CodeForm } from '@keystall/contract/endpoints/account'
import * as sessions from '@keystall/contract/endpoints/sessions'
import * as twoFactor from '@keystall/contract/endpoints/two-factor'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { reloadAccount } from './account.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async () => (await send(sessions.listSessions)).data,
})

export const beginTwoFactor = async (body: twoFactor.PasswordProofForm) =>
  (await send(twoFactor.beginTwoFactor, { body })).data

export async function enableTwoFactor(body: CodeForm) {
  const { data } = await send(twoFactor.enableTwoFactor, { body })
  await reloadAccount()
  return data
}

export async function disableTwoFactor(body: twoFactor.SecondFactorForm) {
  await send(twoFactor.disableTwoFactor, { body })
  await reloadAccount()
}

export async function makeRecoveryCodes(body: twoFactor.SecondFactorForm) {
  const { data } = await send(twoFactor.renewRecoveryCodes, { body })
  await reloadAccount()
  return data
}

export async function endSession(sessionId: string) {
  await send(sessions.endSession, { path: { sessionId } })
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

export async function endOtherSessions() {
  await send(sessions.endOtherSessions)
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}
