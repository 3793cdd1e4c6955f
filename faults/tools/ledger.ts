import { fdatasyncSync, openSync, writeSync } from 'node:fs'

/** What a client was told: written down, and on the disk, before the client goes on. */
export interface Ledger {
  readonly file: string
  readonly placed: Map<string, Placed>
  /** Of each file product: what was sent, in order, and the last that was acknowledged. */
  readonly files: Map<string, SentFiles>
  readonly replies: Written
  readonly appended: Written
  /** What must not have happened and did. */
  readonly findings: Map<string, number>
  acknowledge(what: string, id: string): void
  find(what: string): void
  readonly acknowledged: number
}

export interface Placed {
  /** What the buyer wanted of it, and was told has happened. */
  fate: 'placed' | 'paid' | 'cancelled'
  told: string | null
  /** When the buyer was told so, by the clock of the load. */
  paidAt?: number
}

export interface SentFiles {
  /** By the name that stands in their every line. */
  sent: string[]
  /** Index of the last one that was acknowledged. */
  lastAcknowledged: number
}

/** Writes without an Idempotency-Key: those without an answer may have happened or not, once. */
export interface Written {
  acknowledged: Set<string>
  unknown: Set<string>
}

export function openLedger(file: string): Ledger {
  const handle = openSync(file, 'a', 0o600)
  const findings = new Map<string, number>()
  let acknowledged = 0
  return {
    file,
    placed: new Map(),
    files: new Map(),
    replies: { acknowledged: new Set(), unknown: new Set() },
    appended: { acknowledged: new Set(), unknown: new Set() },
    findings,
    get acknowledged() {
      return acknowledged
    },
    acknowledge(what, id) {
      writeSync(handle, `${JSON.stringify({ what, id })}\n`)
      fdatasyncSync(handle)
      acknowledged += 1
    },
    find(what) {
      findings.set(what, (findings.get(what) ?? 0) + 1)
    },
  }
}
