import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyTree } from './mutants/copy.ts'
import { keeping } from './mutants/keeping.ts'
import { lettingIn } from './mutants/letting-in.ts'
import { broken, type Mutant } from './mutants/mutant.ts'
import { own } from './mutants/own.ts'

// `npm run mutants` breaks the shop on purpose, in copies of the tree, and runs the tests that must notice each breakage;
// `npm run mutants -- 3 7` some. First the same tests run on the shop as it is: a test that fails anyway proves nothing.

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const atOnce = 2
/** Some breakages make a test wait for ever. */
const testSeconds = 40

interface Outcome {
  mutant: Mutant
  verdict: 'caught' | 'missed' | 'stale'
  /** The test that noticed. */
  by: string
  seconds: number
}

const whole = [...keeping, ...lettingIn, ...own]
const asked = process.argv.slice(2).map(Number)
const wanted = asked.length === 0 ? whole : whole.filter(({ number }) => asked.includes(number))
if (wanted.length === 0) {
  console.error(`There are mutants 1 to ${whole.length}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'keystall-mutants-'))
const beganAt = performance.now()
let isSound = true
const outcomes: Outcome[] = []
try {
  const waiting = wanted.values()
  const lanes = Array.from({ length: Math.min(atOnce, wanted.length) }, (_, index) => join(folder, `lane${index}`))
  for (const lane of lanes) copyTree(root, lane)
  if (asked.length === 0) isSound = await passUnbroken(lanes[0] ?? '')
  await Promise.all(
    lanes.map(async (lane) => {
      for (const mutant of waiting) {
        const outcome = await tryMutant(lane, mutant)
        outcomes.push(outcome)
        print(outcome)
      }
    }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const caught = outcomes.filter(({ verdict }) => verdict === 'caught').length
const seconds = (performance.now() - beganAt) / 1000
console.log(`\nmutants ${outcomes.length} / caught ${caught}, ${seconds.toFixed(0)} s`)
process.exit(isSound && caught === outcomes.length ? 0 : 1)

async function passUnbroken(lane: string): Promise<boolean> {
  const files = [...new Set(wanted.flatMap(({ tests }) => tests))]
  const startedAt = performance.now()
  const { failed, isGood } = await runTests(lane, files, undefined)
  const took = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(
    `the ${files.length} test files on the shop as it is: ${isGood ? 'pass' : `FAIL (${failed})`}, ${took} s\n`,
  )
  return isGood
}

async function tryMutant(lane: string, mutant: Mutant): Promise<Outcome> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const sources = new Map<string, string>()
  try {
    for (const edit of mutant.edits) {
      const path = join(lane, edit.file)
      const text = readFileSync(path, 'utf8')
      if (!sources.has(path)) sources.set(path, text)
      const changed = broken(text, edit)
      if (changed === undefined) return { mutant, verdict: 'stale', by: edit.file, seconds: seconds() }
      writeFileSync(path, changed)
    }
    const { failed, isGood, ran } = await runTests(lane, mutant.tests, mutant.named)
    // Nothing ran: the breakage is no program, or no test has that name.
    if (ran === 0) return { mutant, verdict: 'stale', by: mutant.named ?? '', seconds: seconds() }
    return { mutant, verdict: isGood ? 'missed' : 'caught', by: failed, seconds: seconds() }
  } finally {
    for (const [path, text] of sources) writeFileSync(path, text)
  }
}

interface Tested {
  isGood: boolean
  ran: number
  failed: string
}

async function runTests(lane: string, files: readonly string[], named: string | undefined): Promise<Tested> {
  const report = `${lane}.json`
  rmSync(report, { force: true })
  const words = ['run', ...files, '--reporter=json', `--outputFile=${report}`, `--testTimeout=${testSeconds * 1000}`]
  const child = spawn('vitest', named === undefined ? words : [...words, '-t', named], { cwd: lane, stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject))
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = Object(readReport(report))
  const results: unknown[] = testResults.flatMap((file: unknown) => Object(file)['assertionResults'])
  const failing = results.map(Object).find(({ status }) => status === 'failed')
  const failed = failing ? String(failing.title) : 'an error that nobody handled'
  return { isGood: code === 0, ran: numPassedTests + numFailedTests, failed }
}

function readReport(report: string): unknown {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return undefined
  }
}

function print({ mutant: { number, breakage }, verdict, by, seconds }: Outcome): void {
  const test = verdict === 'missed' ? '' : by
  console.log(
    `${String(number).padStart(2)}  ${verdict.padEnd(6)}  ${seconds.toFixed(0).padStart(3)} s  ${breakage}${test && ` | ${test}`}`,
  )
}
