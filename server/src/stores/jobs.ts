import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { forgetVisitors, forgetVisitorsJob } from './visits.ts'

export const storePerformers: Performer[] = [perform(forgetVisitorsJob, (db) => forgetVisitors(db))]

export const storeSchedules: Schedule[] = [every(3_600, forgetVisitorsJob, {})]
