import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One line of the table; what a case does not have is left out. */
export interface Row {
  case: string
  perSecond?: number
  p50?: number
  p99?: number
  /** Of the server, per request. */
  cpuMicroseconds?: number
  roundTrips?: number
  /** A second, of the same work with nothing of ours, or of the smaller shop; measured in turns in the same run. */
  limit?: number
  /** What is compared with the target, as it is read. */
  measured?: string
  target?: string
  isMet?: boolean
  /** How far the three runs lie apart, as a part of the best. */
  spread?: number
}

const file = fileURLToPath(new URL('../results.json', import.meta.url))
const columns: [head: string, cell: (row: Row) => string | undefined][] = [
  ['case', (row) => row.case],
  ['a second', ({ perSecond }) => perSecond?.toFixed(perSecond < 100 ? 1 : 0)],
  ['p50 ms', ({ p50 }) => p50?.toFixed(2)],
  ['p99 ms', ({ p99 }) => p99?.toFixed(2)],
  ['cpu µs', ({ cpuMicroseconds }) => cpuMicroseconds?.toFixed(0)],
  ['db trips', ({ roundTrips }) => roundTrips?.toFixed(2)],
  ['limit', ({ limit }) => limit?.toFixed(limit < 100 ? 1 : 0)],
  ['measured', ({ measured }) => measured],
  ['target', ({ target }) => target],
  ['', ({ isMet }) => (isMet === undefined ? undefined : isMet ? 'met' : 'MISSED')],
  ['spread', ({ spread }) => (spread === undefined ? undefined : percent(spread))],
]

export const percent = (part: number) => `${(part * 100).toFixed(0)} %`

/** Kept for the table of the whole run, shown at once when the case runs by itself. True when every target is met. */
export function report(name: string, rows: Row[]): boolean {
  if (!process.env['BENCH_WHOLE']) printTable(rows)
  const known = readResults()
  known[name] = { at: new Date().toISOString(), rows }
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
  return rows.every(({ isMet }) => isMet !== false)
}

export function readResults(): Record<string, { at: string; rows: Row[] }> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

export function printTable(rows: Row[]): void {
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row) ?? '–'))
  const heads = columns.map(([head]) => head)
  const widths = heads.map((head, index) => Math.max(head.length, ...lines.map((line) => line[index]?.length ?? 0)))
  for (const line of [heads, ...lines]) {
    console.log(line.map((cell, index) => pad(cell, widths[index] ?? 0, index === 0)).join('  '))
  }
}

const pad = (text: string, width: number, isLeft: boolean) => (isLeft ? text.padEnd(width) : text.padStart(width))
