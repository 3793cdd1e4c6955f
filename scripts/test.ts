import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Everything that must hold before a change lands, in one command, with one summary.

interface Outcome {
  passed: number
  failed: number
}

const reports = mkdtempSync(join(tmpdir(), 'keystall-reports-'))
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const checks: [name: string, command: string, words: string[]][] = [
  // First: the tests of the client are typed by what is published of it.
  ['build', 'node', ['scripts/build.ts']],
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['types around the client', 'tsc', ['--noEmit', '-p', 'client/test']],
  ['types of the dashboard', 'tsc', ['--noEmit', '-p', 'dashboard']],
  ['format', 'biome', ['format', '.']],
  ['lint', 'oxlint', ['--type-aware', '--quiet']],
  ['unused code', 'knip', ['--no-progress']],
  ['API description', 'node', ['scripts/lint-openapi.ts']],
]

const outcomes: Outcome[] = []
// Two at a time: most of them keep one core busy.
const waiting = checks.values()
await Promise.all([runChecks(), runChecks()])

outcomes.push(
  await suite(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    vitestReport,
    fromVitest,
  ),
)
process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] = playwrightReport
outcomes.push(await suite('playwright', ['test', '--reporter=list,json'], playwrightReport, fromPlaywright))
rmSync(reports, { recursive: true })

const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function runChecks(): Promise<void> {
  for (const [name, command, words] of waiting) {
    const seconds = stopwatch()
    const { isGood, output } = await run(command, words, 'kept')
    outcomes.push(isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
    console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${seconds()} s)`)
    if (!isGood) console.log(output)
  }
}

/** A suite that ends badly has failed, whatever its report says. */
async function suite(
  command: string,
  words: string[],
  report: string,
  read: (report: unknown) => Outcome,
): Promise<Outcome> {
  const { isGood } = await run(command, words, 'shown')
  try {
    const outcome = read(JSON.parse(readFileSync(report, 'utf8')))
    return isGood ? outcome : { ...outcome, failed: Math.max(outcome.failed, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function fromVitest(report: unknown): Outcome {
  const { numPassedTests, numFailedTests } = Object(report)
  return { passed: Number(numPassedTests), failed: Number(numFailedTests) }
}

function fromPlaywright(report: unknown): Outcome {
  const { expected, unexpected, flaky } = Object(Object(report)['stats'])
  return { passed: Number(expected), failed: Number(unexpected) + Number(flaky) }
}

function run(command: string, words: string[], output: 'kept' | 'shown'): Promise<{ isGood: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => resolve({ isGood: false, output: error.message }))
    child.once('close', (code) => resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString() }))
  })
}

function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => ((performance.now() - startedAt) / 1000).toFixed(1)
}
