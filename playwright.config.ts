import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './scripts/find-chromium.ts'

const executablePath = findChromium()

// Workers read this file too and must find the same folder; two runs must not share one.
process.env['BROWSER_ARTIFACTS'] ??= mkdtempSync(join(tmpdir(), 'keystall-browser-artifacts-'))

const config = defineConfig({
  testDir: 'browser',
  outputDir: process.env['BROWSER_ARTIFACTS'],
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    // A trace of every test takes as long as the test: `TRACE=on` for whoever looks into one.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Where there is none, drawing with it takes a core.
        '--disable-gpu',
      ],
    },
  },
})

// Playwright looks for a default export, and for nothing else.
export default config
