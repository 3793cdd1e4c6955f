import type { Generated, Selectable } from 'kysely'

export interface AppTables {
  apps: AppsTable
  appSecrets: AppSecretsTable
}

export type AppRow = Selectable<AppsTable>

interface AppsTable {
  id: string
  ownerId: string
  dateCreated: Generated<Date>
  name: string
  redirectUrls: string[]
  scopes: string[]
}

interface AppSecretsTable {
  appId: string
  secretHash: Buffer
  dateCreated: Generated<Date>
  expiresAt: Date | null
}
