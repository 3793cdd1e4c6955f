import type { Html } from './html.ts'
import type { Speech } from './speech.ts'

export const themeNames = ['cards', 'list', 'showcase'] as const
export type ThemeName = (typeof themeNames)[number]

/** What every page of a store knows of it. */
export interface Shop {
  /** The language of the page. */
  speech: Speech
  /** Whether the address asked for that language. */
  isLanguageAsked: boolean
  /** Path and query of the page as it can be asked for again, without its language. */
  here: string
  name: string
  /** Scheme and host that search engines should remember. */
  origin: string
  currency: string
  theme: ThemeName
  /** The name of the logo's picture; null when there is none. */
  logoName: string | null
  isVerified: boolean
  copyright: string | null
  hasTerms: boolean
  hasPrivacy: boolean
  /** How many things are in the visitor's basket. */
  basketCount: number
  assets: Assets
}

/** Addresses on the store's own host. */
export interface Assets {
  style: string
  script: string
  mark: string
  /** The seller's colours; null when none were chosen. */
  theme: string | null
}

/** A product among others. */
export interface Tile {
  id: string
  name: string
  cost: number
  stock: number
  ignoreOutOfStock: boolean
  isPinned: boolean
  isBestSeller: boolean
  rating: number
  amountSold: number
  imageName: string | null
  minimumQuantity: number
  maximumQuantity: number
}

export const networks = [
  'shortVideo',
  'videoSharing',
  'microblog',
  'socialNetwork',
  'chat',
  'messenger',
  'photoSharing',
] as const

export interface SocialLink {
  network: (typeof networks)[number]
  text: string
  /** Null when the seller wrote a name instead of an address. */
  href: string | null
}

export interface ShownReview {
  id: string
  rating: number
  reason: string
  reply: string | null
  dateCreated: string
  /** Where several products are reviewed. */
  product: { id: string; name: string } | null
}

export interface FaqEntry {
  id: string
  question: string
  answer: Html
}

/** What a form was sent with, and what was wrong with it, by field. */
export interface Draft {
  values: Readonly<Record<string, string>>
  reasons: Readonly<Record<string, string>>
}

export const emptyDraft: Draft = { values: {}, reasons: {} }
