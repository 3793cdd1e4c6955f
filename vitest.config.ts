import { defineConfig } from 'vitest/config'

// The browser's tests, in /browser, are run by Playwright.
const config = defineConfig({
  test: {
    include: ['{contract,server,storefront,scripts,client,faults}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['server/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // The server's modules are read once a worker: reading them for each of the files took a third of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

// Vitest looks for a default export, and for nothing else.
export default config
