import type { Furnished } from '../../server/test/furnished.ts'
import type { Line } from '../../server/test/line.ts'
import type { House } from './house.ts'

/** What can be known of a server from outside, and one's own key and cookie. */
export interface Abused {
  line: Line
  port: number
  furnished: Furnished
  seller: House['seller']
  /** How long it goes on, at least. */
  atLeastMs: number
}

/** One way to work against the server. */
export interface Abuse {
  title: string
  /** Their own work, which is done elsewhere and before. */
  prepare?(): Promise<void>
  /** How often it was tried, and what should not have happened. */
  act(abused: Abused): Promise<Acted>
}

export interface Acted {
  times: number
  wrong: string[]
  note?: string
}
