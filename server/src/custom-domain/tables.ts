import type { Generated, Selectable } from 'kysely'

export interface CustomDomainTables {
  customDomains: CustomDomainsTable
}

export type CustomDomainRow = Selectable<CustomDomainsTable>

interface CustomDomainsTable {
  storeId: string
  domain: string
  status: Generated<'pending' | 'active' | 'misconfigured'>
  proof: string
  dateCreated: Generated<Date>
  checkedAt: Date | null
  activeSince: Date | null
}
