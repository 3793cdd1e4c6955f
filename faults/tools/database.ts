import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findPostmaster, openCluster, urlOf } from '../../server/src/platform/embedded/cluster.ts'

/** The embedded database of a data folder, looked at from outside: nobody of ours starts it or keeps it running. */
export interface OwnDatabase {
  /** Undefined while there is none. */
  pid(): number | undefined
  /** Its server, and every process that serves a connection. */
  processes(): number[]
  signal(name: NodeJS.Signals): void
  connect(): Promise<Client>
  url(): string
  /** Where it listens. */
  socket: string
}

export async function findDatabase(dataDir: string): Promise<OwnDatabase> {
  const cluster = await openCluster(dataDir)
  const found = () => findPostmaster(cluster)

  function processes(): number[] {
    const server = found()?.pid
    return server === undefined ? [] : [server, ...childrenOf(server)]
  }

  function url(): string {
    const postmaster = found()
    if (!postmaster) throw new Error('the database does not run')
    return urlOf(postmaster, 'keystall')
  }

  return {
    pid: () => found()?.pid,
    processes,
    signal(name) {
      // The server first, so that it starts nothing anew while its children are told.
      const [server] = processes()
      if (server !== undefined && name === 'SIGKILL') process.kill(server, 'SIGSTOP')
      for (const pid of processes().toReversed()) send(pid, name)
    },
    url,
    async connect() {
      const client = new Client({ connectionString: url(), connectionTimeoutMillis: 5_000 })
      client.on('error', () => {})
      await client.connect()
      return client
    },
    socket: join(cluster.socketFolder, '.s.PGSQL.5432'),
  }
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in the meantime.
  }
}
