import { access, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

// Builds what is older than its sources: the dashboard, the server as a few files that start in half the time, and the
// client, printed from the contract.

const root = fileURLToPath(new URL('..', import.meta.url))

interface Target {
  name: string
  dist: string
  /** Written last: its time is the build's. */
  mark: string
  sources: string[]
  make: (outDir: string) => Promise<void>
}

const targets: Target[] = [
  {
    name: 'dashboard',
    dist: join(root, 'dashboard/dist'),
    mark: 'index.html',
    sources: ['dashboard/src', 'dashboard/public', 'dashboard/index.html', 'dashboard/vite.ts', 'contract/src'],
    make: async (outDir) => bundle((await import('../dashboard/vite.ts')).dashboardBuild(outDir)),
  },
  {
    name: 'server',
    dist: join(root, 'server/dist'),
    mark: 'main.js',
    sources: ['server/src', 'server/vite.ts', 'contract/src', 'storefront/src'],
    make: async (outDir) => bundle((await import('../server/vite.ts')).serverBuild(outDir)),
  },
  {
    name: 'client',
    dist: join(root, 'client/dist'),
    mark: 'keystall.js',
    sources: ['client/src', 'client/generate', 'contract/src'],
    make: async (outDir) => (await import('../client/generate/build.ts')).buildClient(outDir),
  },
]

/** Folders count too: a file that went away changes only them. */
async function newestMilliseconds(path: string): Promise<number> {
  const { mtimeMs } = await stat(path)
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  const inside = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory()
        ? newestMilliseconds(join(path, entry.name))
        : stat(join(path, entry.name)).then((file) => file.mtimeMs),
    ),
  )
  return inside.reduce((newest, time) => Math.max(newest, time), mtimeMs)
}

async function isBuilt({ dist, mark, sources }: Target): Promise<boolean> {
  const built = await stat(join(dist, mark)).catch(() => undefined)
  if (!built) return false
  const paths = [...sources, 'package-lock.json'].map((source) => join(root, source))
  const times = await Promise.all(paths.map(newestMilliseconds))
  return times.every((time) => time <= built.mtimeMs)
}

async function bundle(config: InlineConfig): Promise<void> {
  await (await import('vite')).build(config)
}

/** Both are for building alone: who installs without them runs what was built before. */
async function hasTools(): Promise<boolean> {
  const tools = ['node_modules/vite/package.json', 'node_modules/typescript/package.json']
  const found = await Promise.allSettled(tools.map((tool) => access(join(root, tool))))
  return found.every(({ status }) => status === 'fulfilled')
}

/** The new build takes the place of the old one whole, so that a server or a second build never sees half of it. */
async function putInPlace(made: string, { dist, mark }: Target): Promise<void> {
  const old = `${made}.old`
  await rename(dist, old).catch(() => undefined)
  try {
    await rename(made, dist)
  } catch (error) {
    // Another process was quicker; its build is of the same sources.
    await access(join(dist, mark)).catch(() => {
      throw error
    })
  }
  await Promise.all([made, old].map((path) => rm(path, { recursive: true, force: true })))
}

async function build(target: Target): Promise<void> {
  if (await isBuilt(target)) return
  if (!(await hasTools())) {
    console.warn(`The ${target.name} was not built: vite or typescript is not installed. Run npm install.`)
    return
  }
  const started = new Date()
  const made = `${target.dist}.${process.pid}`
  try {
    await target.make(made)
    // What changes while we build is newer than the build.
    await utimes(join(made, target.mark), started, started)
    await putInPlace(made, target)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  // Not on standard output, where the operator's command prints its answer.
  console.warn(`The ${target.name} was built in ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s.`)
}

for (const target of targets) await build(target)
