/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

const black: Colour = [0, 0, 0]
const white: Colour = [255, 255, 255]
const steps = 20

/** Of `#rgb` to `#rrggbbaa`; what shines through is left out, so that text stays readable. */
export function colourOf(hex: string): Colour | undefined {
  const [, digits] = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(hex) ?? []
  if (digits === undefined) return undefined
  const isShort = digits.length < 6
  const part = (place: number) =>
    Number.parseInt(isShort ? (digits[place] ?? '0').repeat(2) : digits.slice(place * 2, place * 2 + 2), 16)
  return [part(0), part(1), part(2)]
}

export function hexOf(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The first, with a share of the second, as a screen can show it. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const part = (place: 0 | 1 | 2) => Math.round(first[place] * (1 - share) + second[place] * share)
  return [part(0), part(1), part(2)]
}

/** As WCAG 2 defines it: 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

export function isDark(colour: Colour): boolean {
  return contrast(colour, white) > contrast(colour, black)
}

/** The colour itself where it can be read on the background, else as little darker or lighter as it takes. */
export function legible(colour: Colour, background: Colour, ratio = 4.5): Colour {
  const end = isDark(background) ? white : black
  for (let step = 0; step < steps; step += 1) {
    const tried = mix(colour, end, step / steps)
    if (contrast(tried, background) >= ratio) return tried
  }
  return end
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
