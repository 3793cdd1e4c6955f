import type { Generated } from 'kysely'

export interface IdempotencyTables {
  idempotencyKeys: IdempotencyKeysTable
}

interface IdempotencyKeysTable {
  scope: string
  key: string
  requestHash: Buffer
  claim: string
  claimedAt: Generated<Date>
  answer: Buffer | null
}
