import type { Generated, Selectable } from 'kysely'

export interface MemberTables {
  storeMembers: StoreMembersTable
  storeInvitations: StoreInvitationsTable
}

export type MemberRow = Selectable<StoreMembersTable>
export type InvitationRow = Selectable<StoreInvitationsTable>

interface StoreMembersTable {
  storeId: string
  userId: string
  scopes: string[]
  dateCreated: Generated<Date>
}

interface StoreInvitationsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  emailAddress: string
  scopes: string[]
  invitedBy: string
  tokenHash: Buffer
  sentAt: Generated<Date>
  expiresAt: Date
}
