import { every, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { checkDomainsJob, checkDueDomains } from './verification.ts'

export const customDomainPerformers: Performer[] = [
  perform(checkDomainsJob, (db, _data, { platform }) => checkDueDomains(db, platform.config)),
]

export const customDomainSchedules: Schedule[] = [every(30, checkDomainsJob, {})]
