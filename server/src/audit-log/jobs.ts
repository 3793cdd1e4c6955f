import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { numberActsJob, numberAllActs } from './act.ts'

export const auditLogPerformers: Performer[] = [perform(numberActsJob, (db) => numberAllActs(db))]
export const auditLogSchedules: Schedule[] = [every(60, numberActsJob, {})]
