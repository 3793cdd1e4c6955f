import * as contract from '@keystall/contract/endpoints/account'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await send(contract.getAccount)).data,
})

export const reloadAccount = () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })

export const signUp = (body: contract.SignUpForm) => send(contract.signUp, { body })

export const confirmSignUp = (body: contract.TokenForm) => send(contract.confirmAccount, { body })

export const resendConfirmation = (body: contract.EmailForm) => send(contract.resendConfirmation, { body })

export const signIn = async (body: contract.SignInForm) => (await send(contract.signIn, { body })).data

export const signInWithCode = (body: contract.CodeForm) => send(contract.signInWithCode, { body })

export const forgotPassword = (body: contract.EmailForm) => send(contract.forgetPassword, { body })

export const resetPassword = (body: contract.PasswordResetForm) => send(contract.resetPassword, { body })

export const confirmEmail = (body: contract.TokenForm) => send(contract.confirmEmail, { body })

/** A whole new page afterwards, so that nothing of the former person stays in memory. */
export async function leave(next?: string) {
  await send(contract.signOut)
  location.assign(next === undefined ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}`)
}

export async function changeProfile(body: contract.ProfileForm) {
  const { data } = await send(contract.updateProfile, { body })
  queryClient.setQueryData(accountQuery.queryKey, data)
}

export async function changeEmail(body: contract.EmailChangeForm) {
  const { data } = await send(contract.changeEmail, { body })
  queryClient.setQueryData(accountQuery.queryKey, data)
}

export async function changePassword(body: contract.PasswordForm) {
  await send(contract.changePassword, { body })
  await reloadAccount()
}
