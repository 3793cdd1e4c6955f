import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule } from '#platform/jobs/job'
import { deleteOutdated } from './queries.ts'

const pruneAccounts = job('prune-accounts', Type.Object({}))

export const accountPerformers: Performer[] = [perform(pruneAccounts, (db) => transact(db, deleteOutdated))]
export const accountSchedules: Schedule[] = [every(3600, pruneAccounts, {})]
