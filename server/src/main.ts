import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'

// Keeps what Node makes of the sources, so that the next start takes half the time.
enableCompileCache()
// The supervisor loads next to nothing: it holds the listener for years, while versions come and go behind it.
if (cluster.isPrimary && Number(process.env['WORKERS'] ?? 0) > 0) await import('./supervisor.ts')
else await import('./process.ts')
