import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { Session } from '../shapes/account.ts'
import { list } from '../values.ts'

export const listSessions = endpoint({
  beside: true,
  method: 'GET',
  path: '/account/sessions',
  access: 'session',
  summary: 'List the sessions',
  reply: envelope(list(Session, 'The sessions, last used first.')),
})

export const endSession = endpoint({
  beside: true,
  method: 'DELETE',
  path: '/account/sessions/{sessionId}',
  access: 'session',
  summary: 'End a session',
  reply: envelope(Nothing),
})

export const endOtherSessions = endpoint({
  beside: true,
  method: 'DELETE',
  path: '/account/sessions',
  access: 'session',
  summary: 'End all sessions but this one',
  reply: envelope(Nothing),
})
