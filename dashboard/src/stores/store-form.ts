import type { StoreForm } from '@keystall/contract/endpoints/stores'
import type { StoreSettings } from './settings.ts'

export const networks = [
  { name: 'chat', label: 'Chat' },
  { name: 'messenger', label: 'Messenger' },
  { name: 'videoSharing', label: 'Videos' },
  { name: 'shortVideo', label: 'Short videos' },
  { name: 'microblog', label: 'Microblog' },
  { name: 'socialNetwork', label: 'Social network' },
  { name: 'photoSharing', label: 'Photos' },
] as const

export type Network = (typeof networks)[number]['name']

/** As the fields hold it: what is unset is an empty text. */
export interface StoreValues {
  name: string
  url: string
  title: string
  leadingText: string
  description: string
  announcement: string
  sellerMessage: string
  termsOfService: string
  privacyPolicy: string
  copyright: string
  themeName: string
  accentColor: string
  buttonColor: string
  backgroundColor: string
  cardBackgroundColor: string
  navigationColor: string
  isForcingDarkMode: boolean
  hideViewCount: boolean
  hideStatistics: boolean
  areItemsMailed: boolean
  preferredCurrency: string
  featuredProductId: string
  socialMediaAccounts: Readonly<Record<Network, string>>
  /** A line each: `name = value`. */
  themeProperties: string
}

export function valuesOf(settings: StoreSettings): StoreValues {
  const { socialMediaAccounts: accounts, themeProperties } = settings
  return {
    name: settings.name,
    url: settings.url,
    title: settings.title ?? '',
    leadingText: settings.leadingText ?? '',
    description: settings.description ?? '',
    announcement: settings.announcement ?? '',
    sellerMessage: settings.sellerMessage ?? '',
    termsOfService: settings.termsOfService ?? '',
    privacyPolicy: settings.privacyPolicy ?? '',
    copyright: settings.copyright ?? '',
    themeName: settings.themeName ?? 'cards',
    accentColor: settings.accentColor ?? '',
    buttonColor: settings.buttonColor ?? '',
    backgroundColor: settings.backgroundColor ?? '',
    cardBackgroundColor: settings.cardBackgroundColor ?? '',
    navigationColor: settings.navigationColor ?? '',
    isForcingDarkMode: settings.isForcingDarkMode,
    hideViewCount: settings.hideViewCount,
    hideStatistics: settings.hideStatistics,
    areItemsMailed: settings.areItemsMailed,
    preferredCurrency: settings.preferredCurrency,
    featuredProductId: settings.featuredProductId ?? '',
    socialMediaAccounts: {
      chat: accounts.chat ?? '',
      messenger: accounts.messenger ?? '',
      videoSharing: accounts.videoSharing ?? '',
      shortVideo: accounts.shortVideo ?? '',
      microblog: accounts.microblog ?? '',
      socialNetwork: accounts.socialNetwork ?? '',
      photoSharing: accounts.photoSharing ?? '',
    },
    themeProperties: Object.entries(themeProperties)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n'),
  }
}

/** The form replaces, so what these fields do not show goes back as it was. */
export function formOf(values: StoreValues, saved: StoreSettings): StoreForm {
  const { socialMediaAccounts: accounts } = values
  return {
    ...saved,
    name: values.name,
    url: values.url,
    title: textOrNull(values.title),
    leadingText: textOrNull(values.leadingText),
    description: textOrNull(values.description),
    announcement: textOrNull(values.announcement),
    sellerMessage: textOrNull(values.sellerMessage),
    termsOfService: textOrNull(values.termsOfService),
    privacyPolicy: textOrNull(values.privacyPolicy),
    copyright: textOrNull(values.copyright),
    themeName: textOrNull(values.themeName),
    accentColor: textOrNull(values.accentColor),
    buttonColor: textOrNull(values.buttonColor),
    backgroundColor: textOrNull(values.backgroundColor),
    cardBackgroundColor: textOrNull(values.cardBackgroundColor),
    navigationColor: textOrNull(values.navigationColor),
    isForcingDarkMode: values.isForcingDarkMode,
    hideViewCount: values.hideViewCount,
    hideStatistics: values.hideStatistics,
    areItemsMailed: values.areItemsMailed,
    preferredCurrency: values.preferredCurrency,
    featuredProductId: textOrNull(values.featuredProductId),
    socialMediaAccounts: {
      chat: textOrNull(accounts.chat),
      messenger: textOrNull(accounts.messenger),
      videoSharing: textOrNull(accounts.videoSharing),
      shortVideo: textOrNull(accounts.shortVideo),
      microblog: textOrNull(accounts.microblog),
      socialNetwork: textOrNull(accounts.socialNetwork),
      photoSharing: textOrNull(accounts.photoSharing),
    },
    themeProperties: propertiesOf(values.themeProperties),
  }
}

/** What the preview shows while somebody types: a colour that is none yet is left to the theme. */
export function draftOf(values: StoreValues, saved: StoreSettings): StoreForm {
  const form = formOf(values, saved)
  const colour = (hex: string) => (/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(hex) ? hex : null)
  return {
    ...form,
    name: values.name.trim() === '' ? saved.name : values.name,
    url: saved.url,
    featuredProductId: form.featuredProductId ?? null,
    accentColor: colour(values.accentColor),
    buttonColor: colour(values.buttonColor),
    backgroundColor: colour(values.backgroundColor),
    cardBackgroundColor: colour(values.cardBackgroundColor),
    navigationColor: colour(values.navigationColor),
  }
}

function propertiesOf(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name.trim(), value.join('=').trim()]
    }),
  )
}

function textOrNull(text: string) {
  return text.trim() === '' ? null : text
}
