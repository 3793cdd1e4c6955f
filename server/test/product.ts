import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@keystall/contract/client'
import { root } from './imports.ts'

export interface ProductOptions {
  dataDir: string
  port: number
  env?: Record<string, string>
  /** Words for Node before the program. */
  nodeWords?: readonly string[]
  /** The sources, unless it is to start as quickly as it does at an operator's. */
  program?: string
}

/** The product as a process of its own, on its own embedded database. */
export interface Product {
  child: ChildProcess
  /** What it printed so far. */
  printed: () => string
  end(signal: NodeJS.Signals): Promise<void>
}

const sources = 'server/src/main.ts'
/** As `npm start` does. */
export const ownWords = ['--min-semi-space-size=8', '--max-semi-space-size=16']

export function startProduct({ dataDir, port, env = {}, nodeWords = [], program = sources }: ProductOptions): Product {
  const child = spawn(process.execPath, [...ownWords, ...nodeWords, program], {
    cwd: root,
    env: { ...settings({ dataDir, port }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk) => (printed += chunk))
  child.stderr?.on('data', (chunk) => (printed += chunk))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    child,
    printed: () => printed,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        // One that was stopped would never hear of it.
        child.kill('SIGCONT')
      }
      await ended
    },
  }
}

export async function untilReady({ child, printed }: Product, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the product ended: ${printed()}`)
    const answer = await fetch(`http://localhost:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(10)
  }
}

interface Place extends Pick<ProductOptions, 'dataDir' | 'port' | 'env'> {
  /** The operator's command: the sources, unless it is to answer as quickly as it does at an operator's. */
  command?: string
}

/** A seller's key, made by the operator beside the running server. */
export async function aKeyOfANewSeller(product: Place): Promise<string> {
  const emailAddress = 'ada@example.com'
  await createPerson(product, { emailAddress, userName: 'ada', password: 'correct horse battery' })
  return aKeyOf(product, emailAddress)
}

export interface Person {
  emailAddress: string
  userName: string
  password: string
  isStaff?: boolean
}

export async function createPerson(
  product: Place,
  { emailAddress, userName, password, isStaff }: Person,
): Promise<void> {
  const words = [
    '--email',
    emailAddress,
    '--username',
    userName,
    '--password',
    password,
    ...(isStaff ? ['--staff'] : []),
  ]
  await keystall(product, ['user', 'create', ...words])
}

export async function aKeyOf(product: Place, emailAddress: string): Promise<string> {
  const { apiKey } = await keystall(product, ['key', 'create', '--owner', emailAddress, '--scopes', '*'])
  return String(apiKey)
}

async function keystall(product: Place, words: readonly string[]) {
  const run = promisify(execFile)
  const { command = 'server/src/keystall.ts' } = product
  const { stdout } = await run(process.execPath, [command, ...words, '--json'], {
    cwd: root,
    env: { ...settings(product), ...product.env },
  })
  return Object(JSON.parse(stdout))
}

function settings({ dataDir, port }: Pick<ProductOptions, 'dataDir' | 'port'>) {
  return {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
  }
}

export function clientOf(port: number, apiKey: string) {
  return createClient({ baseUrl: `http://localhost:${port}`, headers: { authorization: `Bearer ${apiKey}` } })
}
