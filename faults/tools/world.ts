import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startEmbedded } from '../../server/src/platform/embedded/postgres.ts'
import { freePort } from '../../server/test/free-ports.ts'
import { aKeyOfANewSeller, type Product, startProduct, untilReady } from '../../server/test/product.ts'
import { atExit } from './at-exit.ts'
import { findDatabase, type OwnDatabase } from './database.ts'
import { type Health, watchHealth } from './health.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { openNamespace } from './namespace.ts'
import { type Network, startProxy } from './proxy.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Requests, watchRequests } from './requests.ts'
import { openShop, type Shop } from './shop.ts'

export interface WorldOptions {
  env?: Record<string, string>
  nodeWords?: readonly string[]
  /** The built server, unless something has to be put into its sources. */
  program?: string
  /** How many servers use the one database; each request goes to any of them. */
  servers?: number
  /** The database is reached over a network that can be broken. */
  network?: keyof typeof networks
  /** Items of each product that does not sell out: more than can be sold. */
  plentiful?: number
  /** Prepares the empty data folder, and says how that is undone. */
  prepare?: (dataDir: string) => Promise<() => Promise<void>>
  /** What is stored, by its key, when that is not on the disk. */
  blobs?: () => Promise<ReadonlyMap<string, Buffer>>
}

const plentiful = 30_000
const networks = { proxy: startProxy, namespace: openNamespace }

/** The product with its own database, a shop in it, and people who use it. */
export interface World {
  readonly dataDir: string
  readonly servers: readonly Server[]
  readonly database: OwnDatabase
  /** Only where one was asked for. */
  readonly network: Network | undefined
  readonly receiver: Receiver
  readonly requests: Requests
  readonly health: Health
  readonly ledger: Ledger
  readonly shop: Shop
  readonly load: Load
  readonly apiKey: string
  readonly random: () => number
  readonly blobs: () => Promise<ReadonlyMap<string, Buffer>>
  /** The servers, as Ctrl-C does. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface Server {
  readonly port: number
  readonly pid: number
  printed(): string
  /** Nothing happens once it has ended. */
  signal(name: NodeJS.Signals): void
  /** The same, until it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** With other words for Node or another environment, if given. */
  start(more?: Pick<WorldOptions, 'env' | 'nodeWords'>): void
  untilReady(): Promise<void>
  /** To what was loaded before the server. */
  tell(message: object): void
  /** It ended, and nobody here had ended it. */
  hasDied(): boolean
}

export async function openWorld(options: WorldOptions, random: () => number): Promise<World> {
  // What was begun is ended, whether the world could be opened or not; the newest first.
  await using opening = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'keystall-faults-'))
  const ledgerFile = join(tmpdir(), `${dataDir.split('/').at(-1)}.ledger`)
  opening.defer(async () => {
    await rm(dataDir, { recursive: true, force: true })
    await rm(ledgerFile, { force: true })
  })
  const undo = await options.prepare?.(dataDir)
  opening.defer(async () => await undo?.())
  const servers: Server[] = []
  const databases: OwnDatabase[] = []
  const endDatabase = () => databases.forEach((own) => own.signal('SIGKILL'))
  const forget = atExit(() => {
    // Until the database is known, whoever starts it ends it.
    for (const server of servers) server.signal(databases.length > 0 ? 'SIGKILL' : 'SIGTERM')
    endDatabase()
  })
  opening.defer(() => {
    endDatabase()
    forget()
  })
  const receiver = await startReceiver()
  opening.defer(() => receiver.close())
  const embedded = options.network ? await startEmbedded({ dataDir, log }) : undefined
  opening.defer(async () => await embedded?.stop())
  const network = options.network && (await networks[options.network]((await findDatabase(dataDir)).socket))
  opening.defer(() => network?.close())
  const env = {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32',
    // Its pictures would be files that nobody here uploaded.
    DEMO: 'off',
    ...(network ? { DATABASE_URL: `postgres://keystall@${network.host}:${network.port}/keystall` } : {}),
    ...options.env,
  }
  const endServers = async () => {
    for (const server of servers) await server.kill('SIGTERM')
  }
  opening.defer(endServers)
  for (let number = 0; number < (options.servers ?? 1); number += 1) {
    const server = aServer({ ...options, env }, dataDir, await freePort())
    servers.push(server)
    await server.untilReady()
  }
  const database = await findDatabase(dataDir)
  databases.push(database)
  const [first] = servers
  if (!first) throw new Error('a world needs a server')
  const apiKey = await aKeyOfANewSeller({ dataDir, port: first.port, env })
  const requests = watchRequests()
  const shop = await openShop(
    requests.client(() => first.port, { authorization: `Bearer ${apiKey}` }),
    receiver,
    options.plentiful ?? plentiful,
  )
  const ledger = openLedger(ledgerFile)
  const port = () => servers[Math.floor(random() * servers.length)]?.port ?? first.port
  const load = startLoad({ shop, ledger, requests, port, sellersPort: () => first.port, apiKey, random })
  const health = watchHealth(first.port)
  opening.defer(() => health.stop())
  const opened = opening.move()

  return {
    ...{ dataDir, servers, database, network, receiver, requests, health, ledger, shop, load, apiKey, random },
    blobs: options.blobs ?? (() => filesIn(join(dataDir, 'uploads'))),
    stop,
    close: () => opened.disposeAsync(),
  }

  async function stop(): Promise<void> {
    await health.stop()
    await endServers()
  }
}

const log: Parameters<typeof startEmbedded>[0]['log'] = { info: () => {}, error: () => {} }

/** Everything in the folder, unfinished or not, by the path in it. */
async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(relative(folder, path), await readFile(path))
  }
  return files
}

const built = 'server/dist/main.js'

function aServer(options: WorldOptions, dataDir: string, port: number): Server {
  let isMeant = false
  let product = launch()

  function launch(more: Pick<WorldOptions, 'env' | 'nodeWords'> = {}): Product {
    isMeant = false
    const env = { ...options.env, ...more.env }
    const nodeWords = [...(options.nodeWords ?? []), ...(more.nodeWords ?? [])]
    return startProduct({ dataDir, port, env, nodeWords, program: options.program ?? built })
  }

  return {
    port,
    get pid() {
      const { pid } = product.child
      if (pid === undefined) throw new Error('the server could not be started')
      return pid
    },
    signal: (name) => void product.child.kill(name),
    printed: () => product.printed(),
    async kill(signal) {
      isMeant = true
      await product.end(signal)
    },
    start(more) {
      product = launch(more)
    },
    untilReady: () => untilReady(product, port),
    tell: (message) => void product.child.send(message),
    hasDied: () => !isMeant && (product.child.exitCode !== null || product.child.signalCode !== null),
  }
}
