import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { colourOf, contrast } from './colours.ts'
import { noColours, paletteCss } from './palette.ts'
import { shapesCss } from './shapes.ts'

const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const maybe = fc.option(hex)
const chosen = fc.record({
  accent: maybe,
  background: maybe,
  card: maybe,
  navigation: maybe,
  button: maybe,
  isForcingDark: fc.boolean(),
  properties: fc.constant({}),
})

const pairs = [
  ...['page', 'card', 'nav'].flatMap((name) =>
    ['text', 'muted', 'link', 'good', 'bad', 'warm'].map((ink) => [`${name}-${ink}`, name, 4.5] as const),
  ),
  ...['page', 'card'].map((name) => [`${name}-field`, name, 3] as const),
  ['accent-text', 'accent', 4.5] as const,
  ['button-text', 'button', 4.5] as const,
  ['accent-edge', 'card', 3] as const,
]

test('everything can be read, whatever colours a seller chooses', () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      for (const [, block = ''] of paletteCss(colours).matchAll(/:root\{([^}]*)\}/g)) {
        const values = new Map(
          [...block.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name = '', value = '']) => [
            name,
            colourOf(value) ?? ([0, 0, 0] as const),
          ]),
        )
        for (const [ink, surface, ratio] of pairs) {
          const seen = contrast(values.get(ink) ?? [0, 0, 0], values.get(surface) ?? [0, 0, 0])
          assert.ok(seen >= ratio, `${ink} on ${surface}: ${seen}`)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('what is not a colour is no colour', () => {
  const plain = paletteCss(noColours)
  for (const value of ['red', 'url(//evil.example)', '#12345', '#1234567', 'red;}body{display:none}', '#fff;}*{}']) {
    assert.equal(paletteCss({ ...noColours, background: value, accent: value }), plain)
  }
})

test('theme properties are known names with values that were checked; all else is nothing', () => {
  assert.equal(shapesCss({ radius: '4', font: 'serif', pictureRatio: '16:9' }).includes('--radius:4px'), true)
  const hostile = [
    '4px;}body{background:red',
    'url(//evil.example)',
    '</style>',
    'constructor',
    '__proto__',
    '9999',
    '-1',
  ]
  for (const value of hostile) {
    const chosen = { radius: value, width: value, font: value, headingFont: value, pictureRatio: value, [value]: value }
    assert.equal(shapesCss(chosen), '', value)
  }
})
