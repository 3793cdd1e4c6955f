import { listedVisibilities, reachableVisibilities } from '@keystall/contract/shapes/product'
import { sql } from 'kysely'
import type { Config } from '#config'
import { imageUrl } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import type { SecretKey } from '#platform/secrets/secret-key'
import type { StoreRow } from '#stores/tables'
import { type Card, type ProductDetails, productDetails, ratingOf, toCard } from './product.ts'

/** What views need of the platform. */
export interface Means {
  config: Config
  secrets: SecretKey
}

export interface StoreFigures {
  /** The custom domain, once it is proven. */
  activeDomain: string | null
  visits: number
  ratingSum: number
  ratingCount: number
  productsSold: number
}

export async function selectPublicStore(db: Db, { config }: Means, store: StoreRow) {
  const [figures, featured] = await Promise.all([selectFigures(db, store), selectFeatured(db, store)])
  return toPublicStore(config, store, figures, featured)
}

/** One row of sums, so that a public view costs few statements. */
export function selectFigures(db: Db, store: StoreRow): Promise<StoreFigures> {
  return db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('customDomains')
        .where('storeId', '=', store.id)
        .where('status', '=', 'active')
        .select('domain')
        .as('activeDomain'),
      eb
        .selectFrom('storeVisits')
        .where('storeId', '=', store.id)
        .select(sql<number>`coalesce(sum(visits), 0)`.as('visits'))
        .$asScalar()
        .$notNull()
        .as('visits'),
      eb
        .selectFrom('products')
        .where('storeId', '=', store.id)
        .where('visibility', '=', sql<number>`any(${[...reachableVisibilities]}::smallint[])`)
        .select(sql<number>`coalesce(sum(rating_sum), 0)`.as('ratingSum'))
        .$asScalar()
        .$notNull()
        .as('ratingSum'),
      eb
        .selectFrom('products')
        .where('storeId', '=', store.id)
        .where('visibility', '=', sql<number>`any(${[...reachableVisibilities]}::smallint[])`)
        .select(sql<number>`coalesce(sum(rating_count), 0)`.as('ratingCount'))
        .$asScalar()
        .$notNull()
        .as('ratingCount'),
      eb
        .selectFrom('productCounts')
        .where('storeId', '=', store.id)
        .select(sql<number>`coalesce(sum(sold), 0)`.as('productsSold'))
        .$asScalar()
        .$notNull()
        .as('productsSold'),
    ])
    .executeTakeFirstOrThrow()
}

async function selectFeatured(db: Db, store: StoreRow): Promise<ProductDetails | undefined> {
  if (store.featuredProductId === null) return undefined
  return productDetails(db, [store.id]).where('products.id', '=', store.featuredProductId).executeTakeFirst()
}

export type PublicStoreView = ReturnType<typeof toPublicStore>

export function toPublicStore(
  config: Config,
  store: StoreRow,
  figures: StoreFigures,
  featured: ProductDetails | undefined,
) {
  const { hideStatistics, hideViewCount } = store
  const isListed = featured !== undefined && listedVisibilities.includes(featured.visibility)
  return {
    ...publicFields(store),
    customDomain: figures.activeDomain,
    featuredProduct: isListed ? toCard(featured, store, { areStatisticsHidden: hideStatistics }) : null,
    visits: hideStatistics || hideViewCount ? 0 : (store.viewsOverride ?? figures.visits),
    reviews: hideStatistics ? 0 : (store.reviewsOverride ?? figures.ratingCount),
    rating: hideStatistics ? 0 : ratingOf(figures),
    resolvedTickets: hideStatistics ? 0 : (store.resolvedTicketsOverride ?? store.resolvedTickets),
    productsSold: hideStatistics ? 0 : (store.productsSoldOverride ?? figures.productsSold),
    theme: { properties: store.themeProperties },
    socialMediaAccounts: toSocialMediaAccounts(store),
    profileImage: store.logoName === null ? null : imageUrl(config, store.logoName),
  }
}

/** The store as each product of a list repeats it: without the long texts, which its own view has. */
export function briefly(store: PublicStoreView): PublicStoreView {
  const featuredProduct: Card | null = store.featuredProduct && { ...store.featuredProduct, description: null }
  return { ...store, featuredProduct, termsOfService: null, privacyPolicy: null }
}

export function toSocialMediaAccounts({ socialId, dateCreated, socialMediaAccounts: links }: StoreRow) {
  return {
    id: socialId,
    dateCreated,
    shortVideo: links['shortVideo'] ?? null,
    videoSharing: links['videoSharing'] ?? null,
    microblog: links['microblog'] ?? null,
    socialNetwork: links['socialNetwork'] ?? null,
    chat: links['chat'] ?? null,
    messenger: links['messenger'] ?? null,
    photoSharing: links['photoSharing'] ?? null,
  }
}

function publicFields(store: StoreRow) {
  const { id, dateCreated, name, description, url, termsOfService, copyright, privacyPolicy } = store
  const { preferredCurrency, isVerified } = store
  return {
    id,
    dateCreated,
    name,
    description,
    url,
    termsOfService,
    copyright,
    privacyPolicy,
    preferredCurrency,
    isVerified,
  }
}
