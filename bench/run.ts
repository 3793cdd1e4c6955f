import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printTable, readResults } from './tools/table.ts'

// `npm run bench` measures what has a target of its own, `npm run bench -- view soak` what is named. Each case is a
// program of its own; at the end stands one table, and bench/results.json has the same.

const whole = ['start', 'view', 'buy', 'grown']
const folder = fileURLToPath(new URL('.', import.meta.url))
const cases = globSync('*.ts', { cwd: folder })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'run')
  .sort()
const named = process.argv.slice(2)
const unknown = named.filter((name) => !cases.includes(name))
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(', ')}; there are ${cases.join(', ')}`)
  process.exit(1)
}

const beganAt = performance.now()
const wanted = named.length > 0 ? named : whole
const failed: string[] = []
for (const name of wanted) {
  console.log(`${name} (${secondsSince(beganAt)} s, load ${loadavg()[0]?.toFixed(1)})`)
  const env = { ...process.env, BENCH_WHOLE: '1' }
  if (spawnSync(process.execPath, [`${folder}${name}.ts`], { stdio: 'inherit', env }).status !== 0) failed.push(name)
}
const results = readResults()
console.log()
printTable(wanted.flatMap((name) => results[name]?.rows ?? []))
console.log(`\n${secondsSince(beganAt)} s, load ${loadavg()[0]?.toFixed(1)}`)
if (failed.length > 0) console.log(`targets missed, or not measured: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)

function secondsSince(moment: number): string {
  return ((performance.now() - moment) / 1000).toFixed(0)
}
