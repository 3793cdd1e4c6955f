import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { dropOldDrafts, dropOldDraftsJob } from './attachment.ts'
import { forgetRequests, forgetRequestsJob } from './contact.ts'

const hour = 60 * 60

export const ticketPerformers: Performer[] = [
  perform(dropOldDraftsJob, (db) => dropOldDrafts(db)),
  perform(forgetRequestsJob, (db) => forgetRequests(db)),
]
export const ticketSchedules: Schedule[] = [every(hour, dropOldDraftsJob, {}), every(hour, forgetRequestsJob, {})]
