import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { sumUpDays, sumUpDaysJob } from './rollups.ts'

export const analyticsPerformers: Performer[] = [perform(sumUpDaysJob, (db) => sumUpDays(db))]
export const analyticsSchedules: Schedule[] = [every(60 * 60, sumUpDaysJob, {})]
