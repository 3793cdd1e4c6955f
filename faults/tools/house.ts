import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signIn } from '../../contract/src/endpoints/account.ts'
import { askingFor, Line } from '../../server/test/line.ts'
import { freePort } from '../../server/test/free-ports.ts'
import { aKeyOf, createPerson, type Product, startProduct, untilReady } from '../../server/test/product.ts'
import { atExit } from './at-exit.ts'
import { findDatabase, type OwnDatabase } from './database.ts'
import { wordOf } from './word-of.ts'

/** The product as a process of its own with a seller and a member of the staff, and nothing else going on. */
export interface House {
  product: Product
  database: OwnDatabase
  line: Line
  seller: Seller
  staff: { cookie: string }
  /** Another one. */
  aSeller(userName: string): Promise<Seller>
  /** What the process holds more than when it was opened, after it had time to let go. */
  grownAtRest(): Promise<Memory>
  close(): Promise<void>
}

export interface Seller {
  emailAddress: string
  apiKey: string
  cookie: string
}

export interface Memory {
  /** By what is still used. */
  heldBytes: number
  /** Given to the process by the machine, used or not. */
  residentBytes: number
}

const password = 'correct horse battery'
const restMs = 2_000

export async function openHouse(env: Record<string, string> = {}): Promise<House> {
  // What was begun is ended, whether the house could be opened or not; the newest first.
  await using opening = new AsyncDisposableStack()
  const settings = { dataDir: await mkdtemp(join(tmpdir(), 'keystall-abuse-')), port: await freePort() }
  opening.defer(() => rm(settings.dataDir, { recursive: true, force: true }))
  const nodeWords = ['--expose-gc', '--import', './faults/tools/heap-meter.ts']
  const own = { DEMO: 'off', ...env }
  const product = startProduct({ ...settings, env: own, nodeWords, program: 'server/dist/main.js' })
  const databases: OwnDatabase[] = []
  const endDatabase = () => databases.forEach((own) => own.signal('SIGKILL'))
  const forget = atExit(() => {
    // Until the database is known, whoever starts it ends it.
    product.child.kill(databases.length > 0 ? 'SIGKILL' : 'SIGTERM')
    endDatabase()
  })
  opening.defer(async () => {
    await product.end('SIGTERM')
    endDatabase()
    forget()
  })
  await untilReady(product, settings.port)
  const database = await findDatabase(settings.dataDir)
  databases.push(database)
  const line = new Line({
    port: settings.port,
    api: `localhost:${settings.port}`,
    dash: `dash.localhost:${settings.port}`,
  })
  opening.defer(() => line.close())
  const at = { ...settings, env: own }
  await createPerson(at, { emailAddress: 'staff@example.com', userName: 'staff', password, isStaff: true })
  const seller = await aSeller('seller')
  const staff = { cookie: await signInAt(line, 'staff@example.com') }
  const before = await held()
  const opened = opening.move()

  return {
    ...{ product, database, line, staff, seller, aSeller },
    async grownAtRest() {
      await sleep(restMs)
      const { heldBytes, residentBytes } = await held()
      return { heldBytes: heldBytes - before.heldBytes, residentBytes: residentBytes - before.residentBytes }
    },
    close: () => opened.disposeAsync(),
  }

  async function aSeller(userName: string): Promise<Seller> {
    const emailAddress = `${userName}@example.com`
    await createPerson(at, { emailAddress, userName, password })
    return { emailAddress, apiKey: await aKeyOf(at, emailAddress), cookie: await signInAt(line, emailAddress) }
  }

  async function held(): Promise<Memory> {
    const told = wordOf(product.child, 'the product')
    product.child.send('held', () => {})
    const { held, resident } = Object(await told)
    return { heldBytes: Number(held), residentBytes: Number(resident) }
  }
}

/** The cookies of one who lives in the house. */
export async function signInAt(line: Line, emailAddress: string): Promise<string> {
  const body = JSON.stringify({ emailAddress, password })
  const { status, headers, text } = await line.ask(askingFor(line.address, signIn, { body }, {}))
  if (status !== 200) throw new Error(`signing in failed: ${text}`)
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((set) => set.split(';')[0])
    .join('; ')
}
