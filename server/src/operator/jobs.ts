import { type Performer, perform } from '#platform/jobs/job'
import { dressDemo, dressDemoJob } from './demo.ts'

export const operatorPerformers: Performer[] = [
  perform(dressDemoJob, (db, { storeId }, { platform }) => dressDemo(db, platform, storeId)),
]
