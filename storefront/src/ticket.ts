/** A ticket as its page or the page of its order shows it. */
export interface ShownTicket {
  id: string
  subject: string
  isClosed: boolean
  entries: ShownEntry[]
}

export interface ShownEntry {
  id: string
  name: string
  isSellers: boolean
  message: string
  dateCreated: string
  files: { id: string; friendlyName: string; bytes: number }[]
}
