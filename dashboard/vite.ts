import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

/** How the dashboard is built, once or on every change. */
export function dashboardBuild(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    plugins: [react(), tailwindcss(), compressed()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // The page's policy takes fonts and scripts from files alone, never from data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            // Fewer and larger files compress better, and the browser keeps what an upgrade of ours leaves as it was.
            groups: [
              { name: 'framework', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// },
              { name: 'parts', test: /dashboard\/src\/ui\/|node_modules\/lucide-react\//, minShareCount: 12 },
              { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
              { name: 'contract', test: /contract\/src\//, minShareCount: 30 },
            ],
          },
        },
      },
    },
  }
}

/** Beside every script and style its compressed forms, made once: the server sends them as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    enforce: 'post',
    // From the files as they are written: until then others still change them.
    writeBundle: async ({ dir = '' }, bundle) => {
      for (const fileName of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
        const source = await readFile(join(dir, fileName))
        await writeFile(join(dir, `${fileName}.br`), brotliCompressSync(source))
        await writeFile(join(dir, `${fileName}.gz`), gzipSync(source, { level: 9 }))
      }
    },
  }
}
