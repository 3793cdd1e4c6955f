import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { mailLink, mailLinkJob } from './portal.ts'
import { deleteOutdatedSignIns } from './portal-queries.ts'

const pruneSignIns = job('prune-customer-sign-ins', Type.Object({}))

export const customerPerformers: Performer[] = [
  perform(mailLinkJob, (db, request, { platform }) => transact(db, (tx) => mailLink(tx, platform, request))),
  perform(pruneSignIns, (db) => transact(db, deleteOutdatedSignIns)),
]
export const customerSchedules: Schedule[] = [every(3600, pruneSignIns, {})]
