/** The body of an answer that is sent often. A text has one character for each byte. */
export type Payload = string | Buffer

const textBytesMax = 8192

/** Node sends a short text in one piece with the head, and a buffer in a second one, which takes longer. */
export function payloadOf(body: Buffer): Payload {
  return body.length <= textBytesMax ? body.toString('latin1') : body
}

/** What `response.end` is told beside it. */
export const payloadEncoding = 'latin1'
