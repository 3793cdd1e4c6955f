import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteOldCodes } from './queries.ts'

const pruneCodes = job('prune-access-codes', Type.Object({}))

export const oauth2Performers: Performer[] = [perform(pruneCodes, (db) => transact(db, deleteOldCodes))]
export const oauth2Schedules: Schedule[] = [every(24 * 3600, pruneCodes, {})]
