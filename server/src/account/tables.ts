import type { Generated, Selectable } from 'kysely'

export interface AccountTables {
  users: UsersTable
  recoveryCodes: RecoveryCodesTable
  sessions: SessionsTable
  accountTokens: AccountTokensTable
  signInFailures: SignInFailuresTable
  auditEntries: AuditEntriesTable
  referralCredits: ReferralCreditsTable
}

export type UserRow = Selectable<UsersTable>

interface UsersTable {
  id: string
  dateCreated: Generated<Date>
  emailAddress: string
  userName: string
  passwordHash: string
  lastPasswordUpdate: Generated<Date>
  emailConfirmedAt: Date | null
  isStaff: Generated<boolean>
  disabledAt: Date | null
  disabledReason: string | null
  plan: Generated<string>
  planExpiry: Date | null
  disabledPaymentMethods: Generated<Record<string, string>>
  allowMarketplace: Generated<boolean>
  chatWebhookUrl: string | null
  totpSecret: Buffer | null
  totpEnabledAt: Date | null
  totpStep: Generated<number>
  referralCode: string
  referredBy: string | null
}

interface RecoveryCodesTable {
  userId: string
  codeHash: Buffer
  usedAt: Date | null
}

export type SessionRow = Selectable<SessionsTable>

interface SessionsTable {
  id: string
  tokenHash: Buffer
  userId: string
  dateCreated: Generated<Date>
  lastUsed: Generated<Date>
  expiresAt: Date
  ipAddress: string
  userAgent: string
}

export type TokenPurpose = 'confirm' | 'reset' | 'change-email' | 'second-factor'

interface AccountTokensTable {
  tokenHash: Buffer
  userId: string
  purpose: TokenPurpose
  emailAddress: string | null
  tries: Generated<number>
  dateCreated: Generated<Date>
  expiresAt: Date
  usedAt: Date | null
}

interface SignInFailuresTable {
  name: string
  failures: Generated<number>
  lastFailedAt: Generated<Date>
}

interface ReferralCreditsTable {
  userId: string
  source: string
  dateCreated: Generated<Date>
  referredUserId: string
  currency: string
  feeMinor: number
  percentage: number
  amountMinor: number
}

interface AuditEntriesTable {
  id: string
  dateCreated: Generated<Date>
  userId: string | null
  storeId: string | null
  act: string
  subject: string | null
  ipAddress: string | null
  details: Generated<Record<string, unknown>>
}
