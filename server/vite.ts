import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'

/** Packages that bring binaries or are seldom needed stay where they are. */
const outside = ['sharp', '@node-rs/argon2', '@aws-sdk/client-s3', 'pg-native', 'pdfkit', 'fontkit', 'subset-font']

/**
 * How the server is put into a few files. Node takes longer to find and read two thousand modules than to run them;
 * tests and `npm run dev` run the sources as they are.
 */
export function serverBuild(outDir: string): InlineConfig {
  const source = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url))
  return {
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    ssr: { noExternal: true, external: outside },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: { main: source('main.ts'), keystall: source('keystall.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}
