import type { Furnished } from '../../server/test/furnished.ts'
import type { House } from './house.ts'

export interface Abused extends House {
  port: number
  furnished: Furnished
}

/** One way to work against the server. */
export interface Abuse {
  title: string
  /** How often it was tried, and what should not have happened. */
  act(house: Abused): Promise<{ times: number; wrong: string[]; note?: string }>
}
