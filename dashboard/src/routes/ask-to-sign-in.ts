import { redirect } from '@tanstack/react-router'
import { accountQuery } from '../account/account.ts'
import { failureOf, queryClient } from '../api.ts'

/** Who is not signed in is sent to the door, and back here afterwards. */
export async function askToSignIn({ location }: { location: { href: string } }) {
  try {
    await queryClient.ensureQueryData(accountQuery)
  } catch (error) {
    if (failureOf(error).code !== 'BadToken') throw error
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  }
}
