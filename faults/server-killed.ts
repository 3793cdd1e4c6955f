import type { Fault } from './tools/under-load.ts'

/** `kill -9` at any moment. Whoever runs the server starts it again at once. */
export const serverKilled: Fault = {
  name: 'server-killed',
  title: 'kill -9 of the server',
  times: { whole: 30, short: 4 },
  promises: { recoveryMs: 2_000 },
  async strike({ servers: [server] }) {
    const at = performance.now()
    await server?.kill('SIGKILL')
    server?.start()
    return at
  },
}
