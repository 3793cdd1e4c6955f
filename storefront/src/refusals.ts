import type { MessageKey } from './messages/message.ts'
import type { Speech } from './speech.ts'

type Saying = readonly [said: RegExp, key: MessageKey]

/** What the shop's rules say of a field; parts with a name go into the message. */
const reasons: readonly Saying[] = [
  [/^(is needed|is required|must not be empty|must hold more than white space|must all be answered)$/, 'reasonNeeded'],
  [/^must be one line that holds more than white space$/, 'reasonNeeded'],
  [/^must be chosen$/, 'reasonChoose'],
  [/^must be at least (?<limit>\d+)$/, 'reasonAtLeast'],
  [/^must be at most (?<limit>\d+)$/, 'reasonAtMost'],
  [/^must have at least (?<limit>\d+) characters$/, 'reasonTooShort'],
  [/^must have at most (?<limit>\d+) characters$/, 'reasonTooLong'],
  [/^must be an e-mail address$/, 'reasonEmail'],
  [/^is more than the (?<limit>\d+) in stock$/, 'reasonInStock'],
  [/^is out of stock$/, 'reasonOutOfStock'],
  [/^cannot be bought through a VPN or proxy$/, 'reasonVpn'],
  [/^cannot be used$/, 'reasonCoupon'],
  [/^was tried too often: wait a while$/, 'reasonCouponTries'],
  [/^is not taken by this store$/, 'reasonNotTaken'],
  [/^cannot be used for (?<product>[^]*)$/, 'reasonNotFor'],
  [/^must be an image [^]* or a PDF: (?<name>[^]*)$/, 'reasonFile'],
  [/^must not be empty: (?<name>[^]*)$/, 'reasonEmptyFile'],
]

const problems: readonly Saying[] = [
  [/^cost more than one order can$/, 'reasonTooMuch'],
  [/^The price has changed since you last saw it/, 'priceChanged'],
  [/^Too many requests: try again in (?<seconds>\d+) s$/, 'tooManyTries'],
  [/^This ticket (is closed|has \d+ messages): open a new one$/, 'ticketIsClosed'],
  [/^That ticket is open: reply to it$/, 'ticketIsOpen'],
  [/^file must be at most (?<limit>\d+) files$/, 'tooManyFiles'],
  [/^The file must have at most \d+ bytes$/, 'fileTooLarge'],
  [/^Too many likes came from here today/, 'likedOften'],
  [/^This product has its review already$/, 'reviewedAlready'],
  [/^Only an unpaid order can be cancelled$/, 'onlyUnpaid'],
  [/^Nothing is to be paid for this order$/, 'nothingToPay'],
  [/^The store is closed: nothing can be paid here$/, 'closedToPayment'],
  [/^What is left cannot be paid in parts$/, 'notInParts'],
  [/^This is only taken from the store’s own pages$/, 'ownPagesOnly'],
  [/^The service is busy or restarting/, 'busy'],
]

/** A sentence of its own: what is wrong with the field that the subject names. */
export function reasonText(speech: Speech, subject: string, reason: string): string {
  return translated(speech, reasons, reason, { subject }) ?? speech.say('reasonElse', { subject, reason })
}

/** A refusal in the reader's language where we know it, else as the rule says it. */
export function problemText(speech: Speech, message: string): string {
  return translated(speech, problems, message, {}) ?? message
}

function translated(
  speech: Speech,
  sayings: readonly Saying[],
  text: string,
  holes: Record<string, string>,
): string | undefined {
  for (const [said, key] of sayings) {
    const found = said.exec(text)
    if (found) return speech.fill(key, { ...holes, ...found.groups })
  }
  return undefined
}
