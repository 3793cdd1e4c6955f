import type { Generated, Selectable } from 'kysely'

export interface StoreTables {
  stores: StoresTable
  directory: DirectoryTable
  storeVisits: StoreVisitsTable
  storeVisitors: StoreVisitorsTable
  doomedBlobs: DoomedBlobsTable
}

export type StoreRow = Selectable<StoresTable>

interface StoresTable {
  id: string
  ownerId: string
  dateCreated: Generated<Date>
  name: string
  url: string
  title: string | null
  leadingText: string | null
  description: string | null
  announcement: string | null
  sellerMessage: string | null
  termsOfService: string | null
  privacyPolicy: string | null
  copyright: string | null
  themeId: string
  themeName: string | null
  themeProperties: Generated<Record<string, string>>
  accentColor: string | null
  backgroundColor: string | null
  cardBackgroundColor: string | null
  navigationColor: string | null
  buttonColor: string | null
  hideViewCount: Generated<boolean>
  hideStatistics: Generated<boolean>
  isForcingDarkMode: Generated<boolean>
  preferredCurrency: Generated<string>
  socialId: string
  socialMediaAccounts: Generated<Record<string, string>>
  featuredProductId: string | null
  isVerified: Generated<boolean>
  logoName: string | null
  webhookSecret: Buffer
  previousWebhookSecret: Buffer | null
  previousWebhookSecretUntil: Date | null
  productsSoldOverride: number | null
  reviewsOverride: number | null
  resolvedTicketsOverride: number | null
  viewsOverride: number | null
  resolvedTickets: Generated<number>
  prependProductNameToReceipt: Generated<boolean>
  areItemsMailed: Generated<boolean>
  reviewRequestDays: number | null
  affiliatePercentage: Generated<number>
  isTestMethodOn: Generated<boolean>
  lastCustomDomainUpdate: Date | null
  revision: Generated<number>
  closedAt: Date | null
}

interface DirectoryTable {
  id: string
  kind: 'product' | 'group' | 'order'
  storeId: string
}

interface StoreVisitsTable {
  storeId: string
  day: string
  id: string
  visits: Generated<number>
}

interface StoreVisitorsTable {
  storeId: string
  day: string
  visitor: Buffer
}

interface DoomedBlobsTable {
  storageKey: string
  dateCreated: Generated<Date>
  touchedAt: Generated<Date>
  isBeingRemoved: Generated<boolean>
}
