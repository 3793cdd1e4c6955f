const fonts = {
  sans: 'Inter,system-ui,sans-serif',
  serif: 'Charter,"Iowan Old Style",Georgia,serif',
  mono: 'ui-monospace,"JetBrains Mono",Menlo,Consolas,monospace',
  rounded: 'ui-rounded,"SF Pro Rounded","Nunito Sans",system-ui,sans-serif',
} as const

/** The theme properties that every theme knows. Only these names, and only values that are checked, reach a stylesheet. */
const properties: Record<string, (value: string) => string | undefined> = {
  radius: (value) => lengthIn(value, 0, 24, '--radius'),
  width: (value) => lengthIn(value, 720, 1440, '--width'),
  font: (value) => (Object.hasOwn(fonts, value) ? `--font:${fonts[fontOf(value)]}` : undefined),
  headingFont: (value) => (Object.hasOwn(fonts, value) ? `--heading-font:${fonts[fontOf(value)]}` : undefined),
  pictureRatio: (value) => {
    const [, wide, high] = /^([1-9]\d?):([1-9]\d?)$/.exec(value) ?? []
    return wide === undefined || high === undefined ? undefined : `--ratio:${wide}/${high}`
  },
}

export const propertyNames = Object.keys(properties)

/** Empty when none of them says anything. */
export function shapesCss(chosen: Readonly<Record<string, string>>): string {
  const rules = Object.entries(properties).flatMap(([name, read]) => {
    const value = Object.hasOwn(chosen, name) ? chosen[name] : undefined
    const rule = value === undefined ? undefined : read(value.trim())
    return rule === undefined ? [] : [rule]
  })
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}`
}

function fontOf(name: string): keyof typeof fonts {
  return name === 'serif' || name === 'mono' || name === 'rounded' ? name : 'sans'
}

function lengthIn(value: string, least: number, most: number, property: string): string | undefined {
  if (!/^\d{1,4}(px)?$/.test(value)) return undefined
  const length = Number.parseInt(value, 10)
  return length >= least && length <= most ? `${property}:${length}px` : undefined
}
