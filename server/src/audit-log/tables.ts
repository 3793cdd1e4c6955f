import type { Generated } from 'kysely'

export interface AuditLogTables {
  storeActs: StoreActsTable
  storeActNumbers: StoreActNumbersTable
}

interface StoreActsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  number: number | null
  userId: string | null
  userName: string
  role: 'owner' | 'member' | 'staff' | 'platform'
  keyId: string | null
  act: string
  subjectId: string | null
  subjectName: string | null
  ipAddress: string | null
}

interface StoreActNumbersTable {
  storeId: string
  lastNumber: Generated<number>
}
