import { enableCompileCache } from 'node:module'

// Keeps what Node makes of the sources, so that the next start takes half the time.
enableCompileCache()
await import('./process.ts')
