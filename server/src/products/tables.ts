import type { Generated, Selectable } from 'kysely'

export interface ProductTables {
  products: ProductsTable
  productCounts: ProductCountsTable
  items: ItemsTable
  itemPositions: ItemPositionsTable
  productFiles: ProductFilesTable
  fileUploads: FileUploadsTable
  productLikes: ProductLikesTable
}

export type ProductRow = Selectable<ProductsTable>
export type ItemPositionsRow = Selectable<ItemPositionsTable>
export type ProductFileRow = Selectable<ProductFilesTable>
export type FileUploadRow = Selectable<FileUploadsTable>

interface ProductsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  name: string
  description: string | null
  costMinor: number
  visibility: number
  type: Generated<number>
  tags: Generated<string[]>
  webhookUrl: string | null
  isPinned: Generated<boolean>
  isDynamic: Generated<boolean>
  ignoreOutOfStock: Generated<boolean>
  shouldBlockVirtualPrivateNetworks: Generated<boolean>
  isBestSeller: Generated<boolean>
  fallbackToItems: Generated<boolean>
  imageNames: Generated<string[]>
  customValueKeys: Generated<string[]>
  deliveryMessage: string | null
  minimumQuantity: Generated<number>
  maximumQuantity: Generated<number>
  position: Generated<number>
  blacklistedPaymentGateways: Generated<string[]>
  additionalFees: Generated<Record<string, string>>
  metadata: string | null
  subscriptionPeriod: string | null
  hasItems: Generated<boolean>
  likes: Generated<number>
  ratingSum: Generated<number>
  ratingCount: Generated<number>
  deletedAt: Date | null
  wasFeatured: Generated<boolean>
}

interface ProductCountsTable {
  storeId: string
  productId: string
  slot: number
  available: Generated<number>
  sold: Generated<number>
  firstPosition: Generated<number>
}

interface ItemsTable {
  storeId: string
  id: string
  productId: string
  position: number
  sealed: Buffer
  /** Read as text: a number cannot hold it. */
  valueHash: string
  dateCreated: Generated<Date>
  orderId: string | null
  takenAt: Date | null
  replacedAt: Date | null
}

interface ItemPositionsTable {
  storeId: string
  productId: string
  nextPosition: Generated<number>
  firstPosition: Generated<number>
  clearedFrom: number | null
  clearedAt: Date | null
}

interface ProductFilesTable {
  storeId: string
  id: string
  productId: string
  dateCreated: Generated<Date>
  friendlyName: string
  storageKey: string
  bytes: number
  sha256: Buffer
}

interface FileUploadsTable {
  storeId: string
  id: string
  productId: string
  dateCreated: Generated<Date>
  touchedAt: Generated<Date>
  friendlyName: string
  bytes: number
  receivedBytes: Generated<number>
  partKeys: Generated<string[]>
  fileId: string | null
}

interface ProductLikesTable {
  storeId: string
  productId: string
  visitor: Buffer
  dateCreated: Generated<Date>
}
