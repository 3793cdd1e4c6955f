import type { Generated } from 'kysely'

export interface Oauth2Tables {
  accessCodes: AccessCodesTable
}

interface AccessCodesTable {
  codeHash: Buffer
  appId: string
  userId: string
  scopes: string[]
  storeIds: string[] | null
  codeChallenge: string | null
  passwordUpdate: Date
  dateCreated: Generated<Date>
  expiresAt: Date
  usedAt: Date | null
  keyId: string | null
}
