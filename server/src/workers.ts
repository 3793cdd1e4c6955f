import cluster, { type Worker } from 'node:cluster'

/** Several processes on one port. One that dies is replaced; a signal ends them all. */
export function superviseWorkers(count: number): void {
  let isStopping = false
  const restartMs = 500
  for (let number = 0; number < count; number += 1) cluster.fork()

  cluster.on('exit', (_worker, code) => {
    if (isStopping) return
    // A worker that never started would be replaced for ever: its complaint has been printed.
    if (code === 1 && Object.keys(cluster.workers ?? {}).length === 0) process.exit(1)
    setTimeout(() => isStopping || cluster.fork(), restartMs)
  })

  const stop = () => {
    if (isStopping) return
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)
    if (workers.length === 0) process.exit(0)
    let left = workers.length
    for (const worker of workers) {
      worker.once('exit', () => {
        left -= 1
        if (left === 0) process.exit(0)
      })
      worker.process.kill('SIGTERM')
    }
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** The one whose greeting is printed. */
export function isFirstProcess(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1
}

export function isSupervisor(count: number): boolean {
  return count > 1 && cluster.isPrimary
}
