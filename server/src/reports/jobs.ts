import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { forgetNetworks } from './queries.ts'

const forgetReporters = job('forget-reporters', Type.Object({}))

export const reportPerformers: Performer[] = [perform(forgetReporters, (db) => transact(db, forgetNetworks))]
export const reportSchedules: Schedule[] = [every(3600, forgetReporters, {})]
