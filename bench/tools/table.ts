import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One line of the table: a case beside its limit, measured in turns in the same run. */
export interface Row {
  case: string
  perSecond: number
  p50: number
  p99: number
  /** Of the server, per request. */
  cpuMicroseconds: number | null
  roundTrips: number | null
  limitPerSecond: number | null
  target: number | null
  /** How far the three runs lie apart, as a part of the best. */
  spread: number
}

const file = fileURLToPath(new URL('../results.json', import.meta.url))
const heads = ['case', 'a second', 'p50 ms', 'p99 ms', 'cpu µs', 'db trips', 'limit', 'ratio', 'target', 'spread']

/** True when every row with a target meets it. */
export function printTable(name: string, rows: Row[]): boolean {
  const lines = rows.map((row) => [
    row.case,
    row.perSecond.toFixed(row.perSecond < 100 ? 1 : 0),
    row.p50.toFixed(2),
    row.p99.toFixed(2),
    row.cpuMicroseconds?.toFixed(0) ?? '–',
    row.roundTrips?.toFixed(2) ?? '–',
    row.limitPerSecond?.toFixed(0) ?? '–',
    percent(ratioOf(row)),
    row.target === null ? '–' : `≥ ${percent(row.target)}`,
    percent(row.spread),
  ])
  const widths = heads.map((head, index) => Math.max(head.length, ...lines.map((line) => line[index]?.length ?? 0)))
  for (const line of [heads, ...lines]) {
    console.log(line.map((cell, index) => pad(cell, widths[index] ?? 0, index === 0)).join('  '))
  }
  writeResults(name, rows)
  return rows.every((row) => row.target === null || (ratioOf(row) ?? 0) >= row.target)
}

function ratioOf({ perSecond, limitPerSecond }: Row): number | null {
  return limitPerSecond === null ? null : perSecond / limitPerSecond
}

function writeResults(name: string, rows: Row[]): void {
  const known: Record<string, unknown> = readResults()
  known[name] = { at: new Date().toISOString(), rows: rows.map((row) => ({ ...row, ratio: ratioOf(row) })) }
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
}

function readResults(): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

const percent = (part: number | null) => (part === null ? '–' : `${(part * 100).toFixed(0)} %`)
const pad = (text: string, width: number, isLeft: boolean) => (isLeft ? text.padEnd(width) : text.padStart(width))
