import { createServer, type Server, type Socket } from 'node:net'

/** As much of a mail server as takes mails in. */
export interface Smtp {
  port: number
  /** The Message-IDs that were taken, as often as they came. */
  readonly taken: string[]
  /** `gone`: nobody listens. `silent`: accepts and says nothing. `failing`: "try later" after the whole mail. */
  mode: 'well' | 'silent' | 'failing'
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export async function startSmtp(): Promise<Smtp> {
  const sockets = new Set<Socket>()
  let server: Server = createServer()
  const smtp: Smtp = { port: 0, taken: [], mode: 'well', leave, comeBack }
  await comeBack()
  smtp.port = Number(Object(server.address()).port)
  return smtp

  async function comeBack(): Promise<void> {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => {})
      converse(smtp, socket)
    })
    await new Promise<void>((resolve) => server.listen(smtp.port, '127.0.0.1', resolve))
  }

  async function leave(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
}

function converse(smtp: Smtp, socket: Socket): void {
  if (smtp.mode === 'silent') return
  let pending = ''
  let isMail = false
  socket.write('220 faults\r\n')
  socket.setEncoding('utf8').on('data', (text) => {
    pending += text
    for (;;) {
      const end = pending.indexOf(isMail ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = pending.slice(0, end)
      pending = pending.slice(end + (isMail ? 5 : 2))
      socket.write(isMail ? takeMail(smtp, part) : answerTo(part))
      isMail = !isMail && part.toUpperCase() === 'DATA'
    }
  })
}

function takeMail(smtp: Smtp, mail: string): string {
  if (smtp.mode === 'failing') return '451 try later\r\n'
  smtp.taken.push(/^message-id: <([^@>]+)/im.exec(mail)?.[1] ?? '')
  return '250 ok\r\n'
}

function answerTo(command: string): string {
  if (/^data$/i.test(command)) return '354 go on\r\n'
  return /^quit/i.test(command) ? '221 bye\r\n' : '250 ok\r\n'
}
