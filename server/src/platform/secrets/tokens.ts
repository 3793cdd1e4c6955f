import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Random text of that many bits, safe in addresses. */
export function newToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url')
}

/** What is stored in place of a token; enough for random tokens, never for passwords. */
export function hashToken(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/** Takes the same time wherever the two differ. */
export function isSameSecret(a: string | Buffer, b: string | Buffer): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(secret: string | Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}
