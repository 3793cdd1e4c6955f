import type { Generated, Selectable } from 'kysely'

export interface KeyTables {
  apiKeys: ApiKeysTable
}

export type ApiKeyRow = Selectable<ApiKeysTable>

interface ApiKeysTable {
  id: string
  userId: string
  appId: string | null
  label: string
  scopes: string[]
  storeIds: string[] | null
  allowedAddresses: Generated<string[]>
  dateCreated: Generated<Date>
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsed: Date | null
}
