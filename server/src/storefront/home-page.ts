import { listedVisibilities } from '@keystall/contract/shapes/product'
import type { Html } from '@keystall/storefront/html'
import { type Figures, homePage, type Search, type Section } from '@keystall/storefront/pages/home'
import type { Shop, Tile } from '@keystall/storefront/shop'
import type { Platform } from '#platform/platform'
import { selectFaq } from '#views/faq'
import type { OpenStore } from '#views/open-store'
import { type ProductDetails, selectProductDetails } from '#views/product'
import { type GroupDetails, selectGroupDetails } from '#views/product-group'
import { selectFigures, toPublicStore } from '#views/public-store'
import { isWritten, linksOf, markdownOf, shopOf, summaryOf } from './shop.ts'
import { toTile } from './tiles.ts'
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
  const [shop, figures, rows, groups, faq] = await Promise.all([
    knownShop,
    selectFigures(db, store),
    selectProductDetails(db, [store.id]),
    selectGroupDetails(db, [store.id]),
    selectFaq(db, store),
  ])
  const listed = pinnedFirst(rows.filter((row) => listedVisibilities.includes(row.visibility)))
  const words = queryText(request, 'q')
  const tag = queryText(request, 'tag')
  const isAsked = words !== '' || tag !== ''
  const found = isAsked ? listed.filter((row) => isMeant(row, words, tag)) : listed
  const pages = !isAsked && found.length <= frontMax ? 1 : Math.ceil(found.length / pageSize)
  const page = Math.min(queryPage(request), Math.max(pages, 1))
  const search: Search = { words, tag, page, pages, isAsked, found: found.length }
  const isFront = !isAsked && page === 1
  const featured = isFront ? listed.find(({ id }) => id === store.featuredProductId) : undefined
  return homePage(shop, {
    title: isWritten(store.title) ? store.title : store.name,
    leadingText: store.leadingText,
    description: markdownOf(config, store.description),
    summary: summaryOf(store.description),
    announcement: markdownOf(config, store.announcement),
    sellerMessage: markdownOf(config, store.sellerMessage),
    sellerName: store.owner.username,
    featured: featured ? { ...toTile(featured, store), description: markdownOf(config, featured.description) } : null,
    sections: isFront
      ? frontOf(store, listed, groups)
      : flat(store, found.slice((page - 1) * pageSize, page * pageSize)),
    tags: commonTags(listed),
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

function pinnedFirst(rows: ProductDetails[]): ProductDetails[] {
  return rows.toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned))
}

function isMeant({ name, tags, description }: ProductDetails, words: string, tag: string): boolean {
  const text = `${name} ${tags.join(' ')} ${description ?? ''}`.toLowerCase()
  const hasTag = tag === '' || tags.some((each) => each.toLowerCase() === tag.toLowerCase())
  return (
    hasTag &&
    words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

/** Groups and the products between them, in the seller's order. */
function frontOf(store: OpenStore, listed: ProductDetails[], groups: GroupDetails[]): Section[] {
  const grouped = new Set(groups.flatMap(({ productIds }) => productIds))
  const places: { position: number; section: Section }[] = groups.flatMap((group) => {
    const members = listed.filter(({ id }) => group.productIds.includes(id))
    const products = members.slice(0, groupShownMax).map((row) => toTile(row, store))
    const section = { group: { id: group.id, name: group.name, size: members.length }, products }
    return products.length === 0 ? [] : [{ position: group.position, section }]
  })
  const alone = listed.filter(({ id }) => !grouped.has(id))
  for (const row of alone.filter(({ isPinned }) => !isPinned)) {
    places.push({ position: row.position, section: { group: null, products: [toTile(row, store)] } })
  }
  const pinned = alone.filter(({ isPinned }) => isPinned).map((row) => toTile(row, store))
  const inOrder = places.toSorted((a, b) => a.position - b.position).map(({ section }) => section)
  return within(joined(pinned.length === 0 ? inOrder : [{ group: null, products: pinned }, ...inOrder]))
}

/** Neighbours without a group stand together. */
function joined(sections: Section[]): Section[] {
  const result: Section[] = []
  for (const section of sections) {
    const last = result.at(-1)
    if (last && last.group === null && section.group === null) last.products.push(...section.products)
    else result.push({ ...section, products: [...section.products] })
  }
  return result
}

function within(sections: Section[]): Section[] {
  let left = frontMax
  return sections.flatMap((section) => {
    const products = section.products.slice(0, left)
    left -= products.length
    return products.length === 0 ? [] : [{ ...section, products }]
  })
}

function flat(store: OpenStore, rows: ProductDetails[]): Section[] {
  const products: Tile[] = rows.map((row) => toTile(row, store))
  return products.length === 0 ? [] : [{ group: null, products }]
}

function commonTags(rows: ProductDetails[]): string[] {
  const uses = new Map<string, number>()
  for (const tag of rows.flatMap(({ tags }) => tags)) uses.set(tag, (uses.get(tag) ?? 0) + 1)
  return [...uses]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, tagsMax)
    .map(([tag]) => tag)
}
