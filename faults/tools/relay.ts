import { connect, createServer } from 'node:net'

// Started in a network namespace of its own: leads from an address there to a Unix socket, which all of them share.

const [socketPath = '', host = ''] = process.argv.slice(2)

const server = createServer((near) => {
  const far = connect(socketPath)
  near.pipe(far).pipe(near)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => {})
    one.on('close', () => other.destroy())
  }
})
server.listen(0, host, () => console.log(Object(server.address()).port))
