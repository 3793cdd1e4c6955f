import type { Generated } from 'kysely'

export interface JobTables {
  jobs: JobsTable
}

export interface JobsTable {
  id: string
  dateCreated: Generated<Date>
  queue: string
  key: string | null
  data: unknown
  runAt: Generated<Date>
  tries: Generated<number>
  lease: string | null
  failedAt: Date | null
  lastError: string | null
}
