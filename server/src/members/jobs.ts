import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteOldInvitations } from './queries.ts'

const pruneInvitations = job('prune-invitations', Type.Object({}))

export const memberPerformers: Performer[] = [perform(pruneInvitations, (db) => transact(db, deleteOldInvitations))]
export const memberSchedules: Schedule[] = [every(24 * 3600, pruneInvitations, {})]
