import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findChromium } from '../scripts/find-chromium.ts'
import { report } from './tools/table.ts'
import { ownWords } from '../server/test/product.ts'

// What Lighthouse says of a product page, on a slow phone as it makes one up, over loopback.

const root = fileURLToPath(new URL('..', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'keystall-lighthouse-'))
const [port, debugPort] = [18_082, 18_083]
const store = `http://demo.localhost:${port}`
const target = 98
// Others on the machine count as the page's own slowness: the middle one of some runs is the page's.
const runs = 5

execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'inherit' })
const server = spawn(process.execPath, [...ownWords, 'server/dist/main.js'], {
  cwd: root,
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DEMO: 'on', RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let printed = ''
server.stdout.on('data', (chunk) => (printed += chunk))
while (!printed.includes('is ready')) {
  if (server.exitCode !== null) throw new Error('Keystall did not start')
  await sleep(50)
}
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', `--remote-debugging-port=${debugPort}`],
})
try {
  const page = await browser.newPage()
  await page.goto(store)
  const path = await page
    .getByRole('link', { name: /Hollow Garden/ })
    .first()
    .getAttribute('href')
  await page.close()
  const scores = new Map<string, number[]>()
  const faults = new Set<string>()
  for (let run = 0; run < runs; run += 1) {
    const result = await lighthouse(`${store}${path}`, { port: debugPort, output: 'json', logLevel: 'error' })
    if (!result) throw new Error('Lighthouse said nothing')
    for (const { title, score } of Object.values(result.lhr.categories))
      scores.set(title, [...(scores.get(title) ?? []), Math.round((score ?? 0) * 100)])
    for (const { title, score } of Object.values(result.lhr.audits))
      if (score !== null && score < 0.9) faults.add(title)
  }
  const rows = [...scores].map(([title, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(runs / 2)] ?? 0
    const measured = `${median} (least ${sorted[0]})`
    return { case: `Lighthouse, product page: ${title}`, measured, target: `≥ ${target}`, isMet: median >= target }
  })
  for (const fault of faults) console.log(`- ${fault}`)
  process.exitCode = report('lighthouse', rows) ? 0 : 1
} finally {
  await browser.close()
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}
