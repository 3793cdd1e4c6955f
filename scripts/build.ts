import { access, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dashboard/dist')
const sources = [
  'dashboard/src',
  'dashboard/public',
  'dashboard/index.html',
  'dashboard/vite.ts',
  'dashboard/package.json',
  'contract/src',
  'package.json',
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

async function isBuilt() {
  const built = await stat(join(dist, 'index.html')).catch(() => undefined)
  if (!built) return false
  const times = await Promise.all(sources.map((source) => newestMilliseconds(join(root, source))))
  return times.every((time) => time <= built.mtimeMs)
}

async function loadTools() {
  try {
    return { ...(await import('vite')), ...(await import('../dashboard/vite.ts')) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** The new build takes the place of the old one whole, so that a server or a second build never sees half of it. */
async function putInPlace(made: string) {
  const old = `${made}.old`
  await rename(dist, old).catch(() => undefined)
  try {
    await rename(made, dist)
  } catch (error) {
    // Another process was quicker; its build is of the same sources.
    await access(join(dist, 'index.html')).catch(() => {
      throw error
    })
  }
  await Promise.all([made, old].map((path) => rm(path, { recursive: true, force: true })))
}

async function build() {
  if (await isBuilt()) return
  const tools = await loadTools()
  if (!tools) {
    console.warn('The dashboard was not built: vite is not installed. Run npm install, then npm run prepare.')
    return
  }
  const started = new Date()
  const made = `${dist}.${process.pid}`
  try {
    await tools.build(tools.dashboardBuild(made))
    // What changes while we build is newer than the build.
    await utimes(join(made, 'index.html'), started, started)
    await putInPlace(made)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  console.log(`The dashboard was built in ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s.`)
}

await build()
