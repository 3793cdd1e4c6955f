import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { dice } from '../server/test/dice.ts'
import { cases } from './cases.ts'
import type { Row } from './tools/case.ts'
import { printTable } from './tools/table.ts'

// `npm run faults` breaks the product in every way of the list while it is used, and prints one table;
// `npm run faults -- server-killed` only what is named, `--short` the form that is part of `npm test`.
// `npm run faults -- load --minutes 30 --workers 2` is the long form of the load. FAULTS_SEED=… repeats the moments of an earlier run.

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1,2' },
  },
})
const { short: isShort } = values
const minutes = Number(values.minutes)
const workers = values.workers.split(',').map(Number)
const unknown = named.filter((name) => !cases.some((each) => each.name === name))
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(', ')}; there are ${cases.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit', cwd: new URL('..', import.meta.url) })
// What was started ends with this process: each world sees to it at its exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
console.log(`seed ${seed}`)
const wanted = cases.filter(({ name, forms }) =>
  named.length > 0 ? named.includes(name) : forms.includes(isShort ? 'short' : 'whole'),
)
const beganAt = performance.now()
const rows: Row[] = []
for (const each of wanted) {
  console.log(`${each.name} (load ${loadavg()[0]?.toFixed(1)})`)
  // Each begins with the seed itself, so that one that failed can be repeated alone.
  const struck = await each.run({ isShort, minutes, workers, random: dice(seed) }).catch(fallen(each.name))
  for (const { notes = [] } of struck) for (const note of notes) console.log(`  ${note}`)
  rows.push(...struck)
}
console.log()
printTable(rows)
console.log(`\nseed ${seed}, ${((performance.now() - beganAt) / 1000).toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`)
process.exit(rows.some(({ verdict }) => verdict === 'FAILS') ? 1 : 0)

function fallen(name: string) {
  return (error: unknown): Row[] => [{ fault: name, verdict: 'FAILS', notes: [String(error)] }]
}
