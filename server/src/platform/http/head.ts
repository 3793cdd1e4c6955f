import type { ServerResponse } from 'node:http'
import type { HeaderList } from './limits.ts'

const end = '\r\n'

/** Where Node notes the head that it has worded until it is sent. */
interface Worded extends ServerResponse {
  _header?: unknown
}

/**
 * The head of an answer that is sent often. Node words it anew for each, which takes a sixth of the whole answer's time;
 * what it once made of it is sent again for the rest of that second, because it has the date in it.
 */
export class Head {
  readonly #status: number
  readonly #headers: HeaderList
  #text = ''
  #second = 0

  constructor(status: number, headers: Record<string, string>) {
    this.#status = status
    this.#headers = Object.entries(headers).flat()
  }

  /** Beside the headers that every answer has stand those of this one, whose values have no byte that needs a check. */
  write(response: ServerResponse, own: HeaderList): void {
    const second = Math.trunc(Date.now() / 1000)
    const ownText = linesOf(own)
    if (second === this.#second && isUsual(response)) {
      response.statusCode = this.#status
      const worded: Worded = response
      worded._header = this.#text + ownText + end
      return
    }
    response.writeHead(this.#status, [...this.#headers, ...own])
    if (isUsual(response)) this.#learn(response, ownText, second)
  }

  /** From a Node that notes it elsewhere nothing is learnt, and each head is worded anew. */
  #learn(response: ServerResponse, ownText: string, second: number): void {
    const { _header: made }: Worded = response
    if (typeof made !== 'string' || !made.includes(ownText) || !made.endsWith(end + end)) return
    this.#text = made.slice(0, -end.length).replace(ownText, '')
    this.#second = second
  }
}

/** To others Node says that the connection ends. */
function isUsual({ shouldKeepAlive, req }: ServerResponse): boolean {
  return shouldKeepAlive && req.httpVersionMajor === 1 && req.httpVersionMinor === 1
}

function linesOf(headers: HeaderList): string {
  let text = ''
  for (let index = 0; index < headers.length; index += 2) text += `${headers[index]}: ${headers[index + 1]}${end}`
  return text
}
