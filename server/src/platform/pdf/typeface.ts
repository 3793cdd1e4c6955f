import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Font } from 'fontkit'

/** A part of the typeface at one weight. */
export interface Cut {
  name: string
  bytes: Buffer
  has(codePoint: number): boolean
}

export type Weight = 400 | 600

/** A run of text that one cut can write. */
export interface Run {
  cut: Cut
  text: string
}

/** The package brings no types. */
type SubsetFont = (
  font: Buffer,
  text: '',
  options: { keepAllGlyphs: true; targetFormat: 'truetype'; variationAxes: Record<string, number> },
) => Promise<Buffer>

const require = createRequire(import.meta.url)
const cutsMax = 48
const emptyBox = '□'

/** Kept as promises, the least recently used first: one that is being made is not made twice. */
const cuts = new Map<string, Promise<Cut>>()
let slices: Promise<Slice[]> | undefined

interface Slice {
  name: string
  file: string
  ranges: [first: number, last: number][]
}

/**
 * Noto Sans SC writes Latin, Cyrillic, Chinese and kana. It comes in a hundred slices of one variable font each, so that
 * only those that a text needs are read; PDF knows no variable fonts, so each is cut at the weight that is wanted.
 * What no slice has becomes an empty box.
 */
export async function runsOf(text: string, weight: Weight): Promise<Run[]> {
  slices ??= readSlices()
  const known = await slices
  const runs: Run[] = []
  for (const character of text) {
    const run = (await runWith(known, character, weight)) ?? (await runWith(known, emptyBox, weight))
    const last = runs.at(-1)
    if (run && last?.cut === run.cut) last.text += run.text
    else if (run) runs.push(run)
  }
  return runs
}

async function runWith(known: Slice[], character: string, weight: Weight): Promise<Run | undefined> {
  const codePoint = character.codePointAt(0) ?? 0
  const slice = known.find(({ ranges }) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last))
  const cut = slice && (await cutOf(slice, weight))
  return cut?.has(codePoint) ? { cut, text: character } : undefined
}

function cutOf(slice: Slice, weight: Weight): Promise<Cut> {
  const name = `${slice.name} ${weight}`
  const cut = cuts.get(name) ?? makeCut(name, slice.file, weight)
  cuts.delete(name)
  cuts.set(name, cut)
  const [oldest] = cuts.keys()
  if (cuts.size > cutsMax && oldest !== undefined) cuts.delete(oldest)
  return cut
}

async function makeCut(name: string, file: string, weight: Weight): Promise<Cut> {
  const subsetFont: SubsetFont = require('subset-font')
  const [{ create }, packed] = await Promise.all([import('fontkit'), readFile(file)])
  const bytes = await subsetFont(packed, '', {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
  })
  // What has read it holds many times its size, and is let go.
  const codePoints = new Set((create(bytes) as Font).characterSet)
  return { name, bytes, has: (codePoint) => codePoints.has(codePoint) }
}

/** Latin first: the common characters of other slices are Latin's. */
async function readSlices(): Promise<Slice[]> {
  const folder = dirname(require.resolve('@fontsource-variable/noto-sans-sc/package.json'))
  const listed: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(listed)
    .map(([key, ranges]) => {
      const name = key.replace(/[[\]]/g, '')
      return { name, file: join(folder, 'files', `noto-sans-sc-${name}-wght-normal.woff2`), ranges: rangesOf(ranges) }
    })
    .reverse()
}

function rangesOf(text: string): Slice['ranges'] {
  return text.split(',').map((part) => {
    const [first = '', last = first] = part.replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
}
