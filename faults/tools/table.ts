import type { Row } from './case.ts'

const columns: [head: string, cell: (row: Row) => string | undefined][] = [
  ['fault', ({ fault }) => fault],
  ['times', ({ times }) => times?.toString()],
  ['acknowledged', ({ acknowledged }) => acknowledged?.toString()],
  ['lost', ({ lost }) => lost?.toString()],
  ['doubled', ({ doubled }) => doubled?.toString()],
  ['longest wait', ({ longestWaitMs }) => seconds(longestWaitMs)],
  ['recovery', ({ recoveryMs }) => seconds(recoveryMs)],
  ['settled', ({ settledMs }) => seconds(settledMs)],
  ['verdict', ({ verdict }) => verdict],
]

export function printTable(rows: readonly Row[]): void {
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row) ?? '–'))
  const heads = columns.map(([head]) => head)
  const widths = heads.map((head, index) => Math.max(head.length, ...lines.map((line) => line[index]?.length ?? 0)))
  for (const line of [heads, ...lines]) {
    console.log(line.map((cell, index) => pad(cell, widths[index] ?? 0, index === 0)).join('  '))
  }
  for (const { fault, notes = [] } of rows) for (const note of notes) console.log(`${fault}: ${note}`)
}

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : `${(ms / 1000).toFixed(2)} s`)
const pad = (text: string, width: number, isLeft: boolean) => (isLeft ? text.padEnd(width) : text.padStart(width))
