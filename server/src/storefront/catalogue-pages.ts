import { listedVisibilities } from '@keystall/contract/shapes/product'
import type { Html } from '@keystall/storefront/html'
import { groupPage } from '@keystall/storefront/pages/group'
import { productPage } from '@keystall/storefront/pages/product'
import { reviewsPage } from '@keystall/storefront/pages/reviews'
import { textPage } from '@keystall/storefront/pages/text'
import type { Shop, ShownReview } from '@keystall/storefront/shop'
import { selectMethods } from '#payments/payment'
import type { Db } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { notFound } from '#problem'
import type { OpenStore } from '#views/open-store'
import type { ProductDetails } from '#views/product'
import { selectGroupDetails } from '#views/product-group'
import { type ReviewView, selectNewestReviews, selectStoreReviewPage } from '#views/review'
import { noteMarket } from './market-visit.ts'
import { markdownOf, shopOf, summaryOf } from './shop.ts'
import { isLikedBy } from './like-pages.ts'
import { selectReachable, toTile } from './tiles.ts'
import { parameter, queryPage, queryText, type StoreVisit } from './visit.ts'

const reviewsShown = 10
const relatedMax = 4

export async function showProduct(visit: StoreVisit): Promise<Html> {
  const { platform, store, request, reply } = visit
  noteMarket(request, reply, platform.config)
  const id = parameter(request, 'productId')
  const [row] = isUuid(id) ? await selectReachable(platform.db, store, [id]) : []
  if (!row) throw notFound('product')
  return productPageOf(visit, shopOf(visit), row)
}

export async function productPageOf(visit: StoreVisit, knownShop: Promise<Shop>, row: ProductDetails): Promise<Html> {
  const { platform, store, request } = visit
  const { db, config } = platform
  const { id } = row
  const [shop, reviews, methods, { group, related }, isLiked] = await Promise.all([
    knownShop,
    selectNewestReviews(db, store, id, reviewsShown),
    selectMethods(db, store),
    selectRelated(db, store, id),
    isLikedBy(visit, id),
  ])
  const product = {
    ...toTile(row, store),
    description: markdownOf(config, row.description),
    summary: summaryOf(row.description),
    imageNames: row.imageNames,
    customValueKeys: row.customValueKeys,
    isListed: listedVisibilities.includes(row.visibility),
    isDeliveredAtOnce: !row.isDynamic,
    reviews: reviews.map((review) => toReview(review, null)),
    likes: store.hideStatistics ? 0 : row.likes,
    isLiked,
    reviewCount: store.hideStatistics ? 0 : row.ratingCount,
    methods: methods.map((method) => method.id).filter((method) => !row.blacklistedPaymentGateways.includes(method)),
    group,
    related: related.map((each) => toTile(each, store)),
  }
  return productPage(shop, product, { isAdded: queryText(request, 'added') !== '' })
}

/** The group that the product is in, and what else is listed there. */
async function selectRelated(db: Db, store: OpenStore, id: string) {
  const groups = await selectGroupDetails(db, [store.id])
  const group = groups.find(({ productIds }) => productIds.includes(id))
  if (!group) return { group: null, related: [] }
  const others = await selectReachable(
    db,
    store,
    group.productIds.filter((each) => each !== id),
  )
  return { group: { id: group.id, name: group.name }, related: inOrder(others).slice(0, relatedMax) }
}

function inOrder(rows: ProductDetails[]): ProductDetails[] {
  return rows
    .filter((row) => listedVisibilities.includes(row.visibility))
    .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned) || a.position - b.position || (a.id < b.id ? -1 : 1))
}

export async function showGroup(visit: StoreVisit): Promise<Html> {
  const { platform, store, request } = visit
  const { db } = platform
  const id = parameter(request, 'groupId')
  const group = (await selectGroupDetails(db, [store.id])).find((each) => each.id === id)
  if (!group) throw notFound('group')
  const [shop, rows] = await Promise.all([shopOf(visit), selectReachable(db, store, group.productIds)])
  return groupPage(shop, { id, name: group.name, products: inOrder(rows).map((row) => toTile(row, store)) })
}

export async function showReviews(visit: StoreVisit): Promise<Html> {
  const { platform, store, request } = visit
  const { db } = platform
  const page = queryPage(request)
  const [shop, { data, pages, totalReviews, average }] = await Promise.all([
    shopOf(visit),
    selectStoreReviewPage(db, store, { page, count: 15 }),
  ])
  const rows = await selectReachable(db, store, [...new Set(data.map(({ productId }) => productId))])
  const names = new Map(rows.map(({ id, name }) => [id, { id, name }]))
  const reviews = data.map((review) => toReview(review, names.get(review.productId) ?? null))
  return reviewsPage(shop, { reviews, totalReviews, average, page, pages })
}

export async function showTerms(visit: StoreVisit): Promise<Html> {
  const { platform, store } = visit
  const text = markdownOf(platform.config, store.termsOfService)
  if (!text) throw notFound('page')
  return textPage(await shopOf(visit), { kind: 'terms', text })
}

export async function showPrivacy(visit: StoreVisit): Promise<Html> {
  const { platform, store } = visit
  const text = markdownOf(platform.config, store.privacyPolicy)
  if (!text) throw notFound('page')
  return textPage(await shopOf(visit), { kind: 'privacy', text })
}

function toReview(
  { id, rating, reason, reply, dateCreated }: ReviewView,
  product: ShownReview['product'],
): ShownReview {
  return { id, rating, reason, reply, dateCreated: dateCreated.toISOString(), product }
}
