import type { Caller } from './caller.ts'

/** What was acted upon. */
export interface Subject {
  storeId?: string
  id?: string
  /** As people call it; never a secret, and nothing of a buyer. */
  name?: string
}

/** Somebody did something that somebody may ask about later. */
export interface Act {
  /** The name of the endpoint. */
  name: string
  isStaffs: boolean
  caller: Caller
  role: 'owner' | 'member' | 'staff'
  ip: string
  subject: Subject
  /** What the staff said about it. */
  body: unknown
}
