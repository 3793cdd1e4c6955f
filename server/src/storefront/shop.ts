import { createHash } from 'node:crypto'
import { type Html, trusted } from '@keystall/storefront/html'
import { type ChosenColours, isPlain, paletteCss } from '@keystall/storefront/palette'
import { networks, type Shop, type SocialLink, themeNames } from '@keystall/storefront/shop'
import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import { renderMarkdown } from '#platform/markdown/markdown'
import type { StoreRow } from '#stores/tables'
import { sharedAssets } from './assets.ts'
import { readBasket } from './basket.ts'
import { languageOf, withoutLanguage } from './language.ts'
import type { StoreVisit } from './visit.ts'
import { selectActiveDomain } from '#views/domain'

/** What every page of the store says of it. */
export async function shopOf({ platform, store, request, speech }: Omit<StoreVisit, 'reply'>): Promise<Shop> {
  const { db, config } = platform
  const activeDomain = await selectActiveDomain(db, store)
  return {
    speech,
    isLanguageAsked: languageOf(request).isAsked,
    here: withoutLanguage(request.url),
    name: store.name,
    origin: storeOrigin(config, { url: store.url, activeDomain }),
    currency: store.preferredCurrency,
    theme: themeNames.find((name) => name === store.themeName) ?? 'cards',
    logoName: store.logoName,
    isVerified: store.isVerified,
    copyright: store.copyright,
    hasTerms: isWritten(store.termsOfService),
    hasPrivacy: isWritten(store.privacyPolicy),
    basketCount: readBasket(request).reduce((sum, { quantity }) => sum + quantity, 0),
    assets: { ...sharedAssets, theme: themeAddress(store) },
  }
}

export function chosenColours(store: StoreRow): ChosenColours {
  return {
    accent: store.accentColor,
    background: store.backgroundColor,
    card: store.cardBackgroundColor,
    navigation: store.navigationColor,
    button: store.buttonColor,
    isForcingDark: store.isForcingDarkMode,
    properties: store.themeProperties,
  }
}

/** The seller's colours as a stylesheet; null when none were chosen. */
export function themeOf(store: StoreRow): { css: string; tag: string } | null {
  const chosen = chosenColours(store)
  if (isPlain(chosen)) return null
  const css = paletteCss(chosen)
  return { css, tag: createHash('sha256').update(css).digest('base64url').slice(0, 12) }
}

export function themeAddress(store: StoreRow): string | null {
  const theme = themeOf(store)
  return theme && `/theme.css?v=${theme.tag}`
}

export function isWritten(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}

/** Pictures of ours come from the store's own host. */
export function markdownOf({ apiUrl, imageHosts }: Config, text: string | null): Html | null {
  if (!isWritten(text)) return null
  const rendered = renderMarkdown(text, { imageHosts: [apiUrl.host, ...imageHosts] })
  return trusted(rendered.replaceAll(`src="${apiUrl.origin}/images/`, 'src="/images/'))
}

const summaryLength = 160

/** The first words of a text, without its marks, for search engines. */
export function summaryOf(text: string | null): string | null {
  if (!isWritten(text)) return null
  const plain = text
    .slice(0, 2000)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= summaryLength) return plain
  return `${plain.slice(0, summaryLength).replace(/\s\S*$/, '')}…`.toWellFormed()
}

export function linksOf({ socialMediaAccounts }: StoreRow): SocialLink[] {
  return networks.flatMap((network) => {
    const text = socialMediaAccounts[network]
    if (text === undefined || !isWritten(text)) return []
    const address = URL.parse(text)
    const isLink = address !== null && (address.protocol === 'https:' || address.protocol === 'http:')
    return [{ network, text: text.replace(/^https?:\/\//, ''), href: isLink ? address.href : null }]
  })
}
