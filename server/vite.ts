import http from 'node:http'
import { fileURLToPath } from 'node:url'
import type { InlineConfig, Plugin } from 'vite'

/**
 * Packages that bring binaries or are seldom needed stay where they are; so does one that finds half of itself while it
 * runs, and would not know the errors of that half.
 */
const outside = [
  'file-type',
  'sharp',
  '@node-rs/argon2',
  '@aws-sdk/client-s3',
  'pg-native',
  'pdfkit',
  'fontkit',
  'subset-font',
]

/** Imported as a module, node:http reads all that it could show: a client with WebSockets, which nobody here uses. */
const plainHttp: Plugin = {
  name: 'plain-http',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) =>
    /^(node:)?http$/.test(id) && kind === 'import-statement' ? '\0plain-http' : undefined,
  load: (id) => {
    if (id !== '\0plain-http') return undefined
    const own = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => get === undefined)
    const names = own.map(([name]) => name).join(', ')
    return `const http = process.getBuiltinModule('node:http')\nexport const { ${names} } = http\nexport default http`
  },
}

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
    plugins: [plainHttp],
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
