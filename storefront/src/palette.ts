import { shapesCss } from './shapes.ts'
import { type Colour, colourOf, hexOf, isDark, legible, mix } from './colours.ts'

/** What a seller chose; null where nothing was. Anything that is not a colour counts as nothing. */
export interface ChosenColours {
  accent: string | null
  background: string | null
  card: string | null
  navigation: string | null
  button: string | null
  isForcingDark: boolean
  /** What else the theme can do, by name; what it does not know, or cannot read, counts as nothing. */
  properties: Readonly<Record<string, string>>
}

export const noColours: ChosenColours = {
  accent: null,
  background: null,
  card: null,
  navigation: null,
  button: null,
  isForcingDark: false,
  properties: {},
}

interface Scheme {
  page: Colour
  card: Colour
  ink: Colour
  accent: Colour
}

// Warm neutrals. In the dark, what is raised is lighter.
const light: Scheme = { page: [250, 248, 245], card: [255, 255, 255], ink: [33, 28, 24], accent: [15, 118, 110] }
const dark: Scheme = { page: [23, 21, 19], card: [34, 31, 28], ink: [242, 238, 233], accent: [52, 196, 182] }

/** The colours of a store as custom properties: each text is readable on its own surface, whatever was chosen. */
export function paletteCss(chosen: ChosenColours): string {
  const inTheDark = block(chosen, dark)
  const shapes = shapesCss(chosen.properties)
  if (chosen.isForcingDark) return inTheDark + shapes
  return `${block(chosen, light)}@media (prefers-color-scheme:dark){${inTheDark}}${shapes}`
}

export function isPlain(chosen: ChosenColours): boolean {
  const { isForcingDark, properties, ...colours } = chosen
  const isColoured = isForcingDark || Object.values(colours).some((colour) => colour !== null)
  return !isColoured && shapesCss(properties) === ''
}

function block(chosen: ChosenColours, scheme: Scheme): string {
  const named = (hex: string | null) => (hex === null ? undefined : colourOf(hex))
  const page = named(chosen.background) ?? scheme.page
  const card = named(chosen.card) ?? (named(chosen.background) ? raised(page) : scheme.card)
  const button = named(chosen.button)
  const accent = named(chosen.accent) ?? button ?? scheme.accent
  const variables = {
    ...surface('page', page, accent),
    ...surface('card', card, accent),
    ...surface('nav', named(chosen.navigation) ?? page, accent),
    ...fill('accent', accent, card),
    ...fill('button', button ?? mix(card, inkOn(card), 0.08), card),
  }
  const text = Object.entries(variables).map(([name, colour]) => `--${name}:${hexOf(colour)}`)
  return `:root{color-scheme:${isDark(page) ? 'dark' : 'light'};${text.join(';')}}`
}

function surface(name: string, background: Colour, accent: Colour): Record<string, Colour> {
  const text = inkOn(background)
  return {
    [name]: background,
    [`${name}-text`]: text,
    [`${name}-muted`]: legible(mix(text, background, 0.36), background),
    [`${name}-line`]: mix(background, text, 0.13),
    [`${name}-field`]: legible(mix(background, text, 0.45), background, 3),
    [`${name}-link`]: legible(accent, background),
    [`${name}-good`]: legible([21, 128, 61], background),
    [`${name}-bad`]: legible([190, 42, 42], background),
    [`${name}-warm`]: legible([180, 95, 6], background),
  }
}

/** A button: its own colour, words that can be read on it, and an edge that can be seen around it. */
function fill(name: string, colour: Colour, around: Colour): Record<string, Colour> {
  return {
    [name]: colour,
    [`${name}-text`]: legible(isDark(colour) ? [255, 255, 255] : [20, 17, 15], colour),
    [`${name}-edge`]: legible(colour, around, name === 'accent' ? 3 : 1.25),
  }
}

function inkOn(background: Colour): Colour {
  return legible(isDark(background) ? dark.ink : light.ink, background)
}

function raised(page: Colour): Colour {
  return isDark(page) ? mix(page, [255, 255, 255], 0.06) : mix(page, [255, 255, 255], 0.7)
}
