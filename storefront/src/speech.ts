import { type Html, html } from './html.ts'
import type { Language } from './languages.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import type { Holes, MessageKey, Messages } from './messages/message.ts'
import { pt } from './messages/pt.ts'
import { ru } from './messages/ru.ts'
import { zh } from './messages/zh.ts'

const messages: Record<Language, Messages> = { en, de, es, fr, pt, ru, zh }

type Filling<Key extends MessageKey, Value> = [Holes<Key>] extends [never]
  ? []
  : [holes: Readonly<Record<Exclude<Holes<Key>, 'count'>, Value>> & Counted<Holes<Key>>]

type Counted<Hole> = 'count' extends Hole ? { readonly count: number } : unknown

/** A language with its words, its numbers and its dates. */
export interface Speech {
  readonly language: Language
  say<Key extends MessageKey>(key: Key, ...filling: Filling<Key, string | number>): string
  /** The same for a message that is only known when it is said. */
  fill(key: MessageKey, holes: Readonly<Record<string, string | number>>): string
  /** The same, with pieces of a page in its holes. */
  put<Key extends MessageKey>(key: Key, ...filling: Filling<Key, Html | string | number>): Html
  price(cost: number, currency: string): string
  amount(value: number, currency: string): string
  count(value: number): string
  rating(value: number): string
  list(words: readonly string[]): string
  day(moment: string): string
  exactly(moment: string): string
  clock(moment: string): string
  /** `12.5 %` */
  percent(value: number): string
  /** Of a file. */
  size(bytes: number): string
}

const known = new Map<Language, Speech>()

export function speechOf(language: Language): Speech {
  const speech = known.get(language) ?? newSpeech(language)
  known.set(language, speech)
  return speech
}

function newSpeech(language: Language): Speech {
  const said = messages[language]
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const ratings = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 })
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
  const lists = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })
  const monies = new Map<string, Intl.NumberFormat>()

  const amount = (value: number, currency: string) => {
    const format = monies.get(currency) ?? new Intl.NumberFormat(language, { style: 'currency', currency })
    monies.set(currency, format)
    return format.format(value)
  }
  const textOf = (key: MessageKey, count: unknown): string => {
    const message = said[key]
    if (typeof message === 'string') return message
    return message[rules.select(Number(count))] ?? message.other
  }
  const shown = <Value>(value: Value | number) => (typeof value === 'number' ? numbers.format(value) : value)
  const fill = (key: MessageKey, holes: Readonly<Record<string, string | number>>) =>
    textOf(key, holes['count']).replace(/\{(\w+)\}/g, (_, hole: string) => shown(holes[hole]) ?? '')

  return {
    language,
    say: (key, ...filling) => fill(key, Object(filling[0])),
    fill,
    put: (key, ...filling) => {
      const holes: Readonly<Record<string, Html | string | number>> = Object(filling[0])
      // Between the texts stand the names of the holes.
      const parts = textOf(key, holes['count']).split(/\{(\w+)\}/)
      return html`${parts.map((part, place) => (place % 2 === 0 ? part : shown(holes[part])))}`
    },
    price: (cost, currency) => (cost === 0 ? said.free : amount(cost, currency)),
    amount,
    count: (value) => numbers.format(value),
    rating: (value) => ratings.format(value),
    list: (words) => lists.format(words),
    day: (moment) => days.format(new Date(moment)),
    exactly: (moment) => `${moments.format(new Date(moment))} UTC`,
    percent: (value) => percents.format(value / 100),
    size: (bytes) => {
      const [unit, value] =
        bytes < 1000 ? ['byte', bytes] : bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6]
      const maximumFractionDigits = value < 10 ? 1 : 0
      return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits }).format(value)
    },
    clock: (moment) => `${clocks.format(new Date(moment))} UTC`,
  }
}
