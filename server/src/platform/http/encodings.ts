import type { IncomingHttpHeaders } from 'node:http'

/** As RFC 9110 has it: a weight of 0 refuses, and `*` speaks for what is not named. */
export function takesEncoding(headers: IncomingHttpHeaders, encoding: 'br' | 'gzip'): boolean {
  let isTaken = false
  for (const part of String(headers['accept-encoding'] ?? '').split(',')) {
    const [name, ...weights] = part.split(';').map((each) => each.trim().toLowerCase())
    if (name !== encoding && name !== '*') continue
    isTaken = !weights.some((weight) => /^q\s*=\s*0(\.0{0,3})?$/.test(weight))
    if (name === encoding) return isTaken
  }
  return isTaken
}
