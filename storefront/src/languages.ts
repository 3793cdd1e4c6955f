export const languages = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'zh'] as const
export type Language = (typeof languages)[number]

const asksMax = 20

export function isLanguage(text: unknown): text is Language {
  return languages.some((language) => language === text)
}

/** Of what a browser says its reader likes, the first that we speak; English when there is none. */
export function preferredLanguage(acceptLanguage: string): Language {
  const asks = acceptLanguage
    .split(',', asksMax)
    .map((part) => {
      const [, tag = '', weight = '1'] =
        /^\s*([a-z]{1,8}|\*)[-\w]*\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part) ?? []
      return { tag: tag.toLowerCase(), weight: Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  for (const { tag } of asks) if (isLanguage(tag)) return tag
  return 'en'
}
