import type { Html } from '@keystall/storefront/html'
import { type Figures, homePage, type Search, type Section } from '@keystall/storefront/pages/home'
import type { Shop } from '@keystall/storefront/shop'
import type { Platform } from '#platform/platform'
import { type Place, selectCommonTags, selectPlaces } from '#views/catalogue'
import { selectFaq } from '#views/faq'
import type { OpenStore } from '#views/open-store'
import { type GroupDetails, selectGroupDetails } from '#views/product-group'
import { selectFigures, toPublicStore } from '#views/public-store'
import { isWritten, linksOf, markdownOf, shopOf, summaryOf } from './shop.ts'
import { selectReachable, toTile } from './tiles.ts'
import { queryPage, queryText, type StoreVisit } from './visit.ts'

const groupShownMax = 8
const frontMax = 96
const pageSize = 48
const tagsMax = 12

export function showHome(visit: StoreVisit): Promise<Html> {
  return homePageOf(visit, shopOf(visit))
}

export async function homePageOf({ platform, store, request }: StoreVisit, knownShop: Promise<Shop>): Promise<Html> {
  const { db, config } = platform
  const words = queryText(request, 'q')
  const tag = queryText(request, 'tag')
  const asked = { words: words.split(/\s+/).filter(Boolean), tag }
  const [shop, figures, found, groups, faq, tags] = await Promise.all([
    knownShop,
    selectFigures(db, store),
    selectPlaces(db, store, asked),
    selectGroupDetails(db, [store.id]),
    selectFaq(db, store),
    selectCommonTags(db, store, tagsMax),
  ])
  const isAsked = words !== '' || tag !== ''
  const pages = !isAsked && found.length <= frontMax ? 1 : Math.ceil(found.length / pageSize)
  const page = Math.min(queryPage(request), Math.max(pages, 1))
  const search: Search = { words, tag, page, pages, isAsked, found: found.length }
  const isFront = !isAsked && page === 1
  const featuredId = isFront ? found.find(({ id }) => id === store.featuredProductId)?.id : undefined
  const sections = isFront ? frontOf(found, groups) : flat(found.slice((page - 1) * pageSize, page * pageSize))
  const shownIds = [...sections.flatMap(({ products }) => products.map(({ id }) => id)), featuredId ?? []].flat()
  const rows = new Map((await selectReachable(db, store, shownIds)).map((row) => [row.id, row]))
  const featured = rows.get(featuredId ?? '')
  return homePage(shop, {
    title: isWritten(store.title) ? store.title : store.name,
    leadingText: store.leadingText,
    description: markdownOf(config, store.description),
    summary: summaryOf(store.description),
    announcement: markdownOf(config, store.announcement),
    sellerMessage: markdownOf(config, store.sellerMessage),
    sellerName: store.owner.username,
    featured: featured ? { ...toTile(featured, store), description: markdownOf(config, featured.description) } : null,
    sections: sections.map(({ group, products }) => ({
      group,
      products: products.flatMap(({ id }) => {
        const row = rows.get(id)
        return row ? [toTile(row, store)] : []
      }),
    })),
    tags,
    faq: faq.flatMap(({ id, key, value }) => {
      const answer = markdownOf(config, value)
      return answer ? [{ id, question: key, answer }] : []
    }),
    links: linksOf(store),
    figures: figuresOf(platform, store, figures),
    search,
  })
}

function figuresOf(
  { config }: Platform,
  store: OpenStore,
  counted: Parameters<typeof toPublicStore>[2],
): Figures | null {
  if (store.hideStatistics) return null
  const { productsSold, rating, reviews, resolvedTickets, visits } = toPublicStore(config, store, counted, undefined)
  return { productsSold, rating, reviews, resolvedTickets, visits: store.hideViewCount ? null : visits }
}

/** Products under a group's name, or under none, before they are looked up. */
interface Stretch {
  group: Section['group']
  products: Place[]
}

/** Groups and the products between them, in the seller's order. */
function frontOf(listed: Place[], groups: GroupDetails[]): Stretch[] {
  const grouped = new Set(groups.flatMap(({ productIds }) => productIds))
  const places: { position: number; stretch: Stretch }[] = groups.flatMap((group) => {
    const own = new Set(group.productIds)
    const members = listed.filter(({ id }) => own.has(id))
    const products = members.slice(0, groupShownMax)
    const stretch = { group: { id: group.id, name: group.name, size: members.length }, products }
    return products.length === 0 ? [] : [{ position: group.position, stretch }]
  })
  const alone = listed.filter(({ id }) => !grouped.has(id))
  for (const place of alone.filter(({ isPinned }) => !isPinned)) {
    places.push({ position: place.position, stretch: { group: null, products: [place] } })
  }
  const pinned = alone.filter(({ isPinned }) => isPinned)
  const inOrder = places.toSorted((a, b) => a.position - b.position).map(({ stretch }) => stretch)
  return within(joined(pinned.length === 0 ? inOrder : [{ group: null, products: pinned }, ...inOrder]))
}

/** Neighbours without a group stand together. */
function joined(stretches: Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const stretch of stretches) {
    const last = result.at(-1)
    if (last && last.group === null && stretch.group === null) last.products.push(...stretch.products)
    else result.push({ ...stretch, products: [...stretch.products] })
  }
  return result
}

function within(stretches: Stretch[]): Stretch[] {
  let left = frontMax
  return stretches.flatMap((stretch) => {
    const products = stretch.products.slice(0, left)
    left -= products.length
    return products.length === 0 ? [] : [{ ...stretch, products }]
  })
}

function flat(products: Place[]): Stretch[] {
  return products.length === 0 ? [] : [{ group: null, products }]
}
