import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { forgetPeople, forgetPeopleJob } from './retention.ts'

export const privacyPerformers: Performer[] = [perform(forgetPeopleJob, (db) => forgetPeople(db))]
export const privacySchedules: Schedule[] = [every(6 * 3600, forgetPeopleJob, {})]
