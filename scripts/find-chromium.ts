import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Finds a Chromium for the browser tests; with --install it fetches one where the machine has none.

const places = [
  process.env['CHROMIUM_PATH'],
  // The same engine without a window to draw: a third less work a test.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Undefined when Playwright's own browser is to be used, or none is there. */
export function findChromium(): string | undefined {
  return places.find((place) => place && existsSync(place))
}

if (import.meta.main && process.argv.includes('--install')) install()

function install(): void {
  if (findChromium() || playwrightHasOne()) return
  console.log('No Chromium found for the browser tests: installing one.')
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const [apt = 'apt-get', ...rest] = [...sudo, 'apt-get']
  if (run(apt, [...rest, 'update'])) {
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (run(apt, [...rest, 'install', '-y', '--no-install-recommends', name]) && findChromium()) return
    }
  }
  if (run('npx', ['playwright', 'install', '--with-deps', 'chromium'])) return
  console.error('Chromium cannot be installed here: install it yourself, or set CHROMIUM_PATH.')
  process.exit(1)
}

function run(command: string, words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}

function playwrightHasOne(): boolean {
  try {
    const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))"
    return existsSync(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim())
  } catch {
    return false
  }
}
