import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run bench` measures everything, `npm run bench -- start items` some of it. Each case is a program of its own.

const folder = fileURLToPath(new URL('.', import.meta.url))
const cases = globSync('*.ts', { cwd: folder })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'run')
  .sort()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !cases.includes(name))
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(', ')}; there are ${cases.join(', ')}`)
  process.exit(1)
}

let failed = 0
for (const name of wanted.length > 0 ? wanted : cases) {
  console.log(`\n## ${name} (load ${loadavg()[0]?.toFixed(1)})\n`)
  const { status } = spawnSync(process.execPath, [`${folder}${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
