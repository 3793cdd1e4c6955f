import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atExit } from './at-exit.ts'
import type { Network } from './proxy.ts'

const name = `keystall${process.pid}`
// Fifteen characters at most.
const near = `ks${process.pid}a`
const far = `ks${process.pid}b`
const nearAddress = '10.251.77.1'
const farAddress = '10.251.77.2'

/** Why not, if not. */
export function whyNoNamespaces(): string | undefined {
  const made = spawnSync('ip', ['link', 'add', near, 'type', 'veth', 'peer', 'name', far])
  if (made.status === 0) spawnSync('ip', ['link', 'del', near])
  if (made.status === 0 && spawnSync('unshare', ['-n', 'true']).status === 0) return undefined
  return 'a network of its own needs root, ip and a kernel with veth and network namespaces'
}

/**
 * The Unix socket is reached through a network namespace of its own and a cable to it. When the cable is cut, packets
 * vanish: nobody is told, and the kernels on both sides do what they do.
 */
export async function openNamespace(socketPath: string): Promise<Network> {
  const forget = atExit(remove)
  ip('netns', 'add', name)
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far)
  ip('link', 'set', far, 'netns', name)
  ip('addr', 'add', `${nearAddress}/30`, 'dev', near)
  ip('link', 'set', near, 'up')
  inside('addr', 'add', `${farAddress}/30`, 'dev', far)
  inside('link', 'set', far, 'up')
  const program = fileURLToPath(new URL('./relay.ts', import.meta.url))
  const words = ['netns', 'exec', name, process.execPath, program, socketPath, farAddress]
  const relay = spawn('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(relay.stdout, 'data')

  function remove(): void {
    relay.kill('SIGKILL')
    spawnSync('ip', ['netns', 'del', name])
    spawnSync('ip', ['link', 'del', near])
  }

  return {
    host: farAddress,
    port: Number(String(port)),
    cut: () => inside('link', 'set', far, 'down'),
    mend: () => inside('link', 'set', far, 'up'),
    close() {
      remove()
      forget()
    },
  }
}

function ip(...words: string[]): void {
  execFileSync('ip', words)
}

function inside(...words: string[]): void {
  ip('-n', name, ...words)
}
