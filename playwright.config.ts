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
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
})

// Playwright looks for a default export, and for nothing else.
export default config
