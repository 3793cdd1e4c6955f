import * as contract from '@keystall/contract/endpoints/sessions'
import { transact } from '#platform/db/transaction'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { notFound } from '#problem'
import { deleteSession, deleteSessions, selectSessions } from './session-queries.ts'

export const sessionRoutes: Implementation[] = [
  implement(contract.listSessions, async ({ db, caller }) => {
    const sessions = await selectSessions(db, caller.userId)
    return ok(
      sessions.map((session) => ({
        ...session,
        userAgent: session.userAgent || null,
        isCurrent: session.id === caller.id,
      })),
    )
  }),

  implement(contract.endSession, async ({ db, caller, path }) => {
    const ended = await transact(db, (tx) => deleteSession(tx, { id: path.sessionId, userId: caller.userId }))
    if (!ended) throw notFound('session')
    return ok(null, 'The session is ended')
  }),

  implement(contract.endOtherSessions, async ({ db, caller }) => {
    await transact(db, (tx) => deleteSessions(tx, caller.userId, caller.id))
    return ok(null, 'All other sessions are ended')
  }),
]
