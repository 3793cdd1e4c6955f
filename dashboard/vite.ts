import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

/** How the dashboard is built, once or on every change. */
export function dashboardBuild(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    plugins: [react(), tailwindcss()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // The page's policy takes fonts and scripts from files alone, never from data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  }
}
