import type { ServerResponse } from 'node:http'
import { type Payload, payloadEncoding } from './payload.ts'

interface Ending {
  response: ServerResponse
  body: Payload | undefined
}

let endings: Ending[] = []

/**
 * Ends an answer once all that has come is read. Each sending wakes its reader: who is woken for one answer after the
 * other, and sleeps between, takes more of everybody's time than the answers do.
 */
export function endTogether(response: ServerResponse, body?: Payload): void {
  if (endings.push({ response, body }) === 1) setImmediate(endAll)
}

/** What is to be ended is ended now: whoever measures what they take of everybody's time does not leave it to others. */
export function endAll(): void {
  const due = endings
  endings = []
  for (const { response, body } of due) {
    if (body === undefined) response.end()
    else response.end(body, payloadEncoding)
  }
}
