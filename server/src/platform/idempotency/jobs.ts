import { Type } from 'typebox'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteOldKeys } from './queries.ts'

const forgetOldKeys = job('forget-idempotency-keys', Type.Object({}))

export const idempotencyPerformers: Performer[] = [perform(forgetOldKeys, (db) => deleteOldKeys(db))]
export const idempotencySchedules: Schedule[] = [every(60 * 60, forgetOldKeys, {})]
