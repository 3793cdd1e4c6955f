import * as contract from '@keystall/contract/endpoints/members'
import { newDevice } from '#account/device'
import { rememberSession } from '#account/remembering-pages'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectInvitation, selectInvitationView, selectMembers } from '#views/members'
import {
  acceptInvitation,
  inviteMember,
  readInvitation,
  resendInvitation,
  signUpByInvitation,
  withdrawInvitation,
} from './invitation.ts'
import { changeMember, leaveStore, removeMember } from './member.ts'

export const memberRoutes: Implementation[] = [
  implement(contract.listMembers, async ({ db, store }) => ok(await selectMembers(db, store))),

  implement(contract.inviteMember, async ({ platform, store, caller, rights, about, body, once }) => {
    about({ name: body.emailAddress })
    const manager = { ...caller, rights }
    return once(async (tx) => {
      const invitation = await inviteMember(tx, platform, { store, manager }, body)
      return ok(await selectInvitation(tx, store, invitation), 'The invitation is on its way')
    })
  }),

  implement(contract.resendInvitation, async ({ db, platform, store, caller, rights, about, path }) => {
    const manager = { ...caller, rights }
    const invitation = await transact(db, async (tx) => {
      const sent = await resendInvitation(tx, platform, { store, manager }, path.invitationId)
      about({ name: sent.emailAddress })
      return sent
    })
    return ok(await selectInvitation(db, store, invitation), 'The invitation is on its way')
  }),

  implement(contract.withdrawInvitation, async ({ db, store, about, path }) => {
    await transact(db, async (tx) => {
      about({ name: (await withdrawInvitation(tx, store, path.invitationId)).emailAddress })
    })
    return ok(null, 'The invitation is withdrawn')
  }),

  implement(contract.updateMember, async ({ db, store, caller, rights, about, path, body }) => {
    const subject = { store, memberId: path.memberId }
    await transact(db, async (tx) => {
      const member = await changeMember(tx, { ...caller, rights }, subject, body.scopes)
      about({ name: member.userName })
    })
    return ok(await selectMembers(db, store), 'The member is saved')
  }),

  implement(contract.removeMember, async ({ db, store, caller, rights, about, path }) => {
    const subject = { store, memberId: path.memberId }
    await transact(db, async (tx) => {
      const member = await removeMember(tx, { ...caller, rights }, subject)
      about({ name: member.userName })
    })
    return ok(await selectMembers(db, store), 'The member is removed')
  }),

  implement(contract.leaveStore, async ({ db, caller, visit, path }) => {
    await transact(db, (tx) => leaveStore(tx, { ...caller, ip: visit.ip }, path.storeId))
    return ok(null, 'You have left the store')
  }),

  implement(contract.viewInvitation, async ({ db, platform, visit, body }) => {
    platform.limits.takeAttempt(visit.ip)
    return ok(await selectInvitationView(db, await readInvitation(db, body)))
  }),

  implement(contract.acceptInvitation, async ({ db, platform, caller, visit, body }) => {
    await transact(db, (tx) => acceptInvitation(tx, platform, { ...caller, ip: visit.ip }, body))
    return ok(null, 'Welcome: the store is in your list')
  }),

  implement(contract.signUpByInvitation, async ({ db, platform, visit, body, reply }) => {
    platform.limits.takeAttempt(visit.ip)
    const { user, token } = await transact(db, (tx) => signUpByInvitation(tx, platform, body, visit))
    const device = newDevice(platform.secrets, user.emailAddress)
    rememberSession(platform, reply, { sessionToken: token, device })
    return ok(null, 'Welcome: your account is ready')
  }),
]
