import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteVisitorsBefore } from './queries.ts'
import { dayOf, forgetVisitorsJob } from './visits.ts'

export const storePerformers: Performer[] = [
  perform(forgetVisitorsJob, (db) => deleteVisitorsBefore(db, dayOf(new Date()))),
]

export const storeSchedules: Schedule[] = [every(3_600, forgetVisitorsJob, {})]
