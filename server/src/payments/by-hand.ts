import { createHash } from 'node:crypto'
import type { PaymentStep } from '@keystall/contract/shapes/order'
import { exponentOf } from '#platform/money/money'
import type { Due } from './method.ts'
import { noStep } from './step.ts'

/** No letters or digits that are taken for each other. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeCharacters = 7

/** What the buyer writes in the note, so that the seller knows which order was paid. */
export function orderCode({ id }: { id: string }): string {
  const bytes = createHash('sha256').update(id).digest()
  return Array.from({ length: codeCharacters }, (_, index) => alphabet[(bytes[index] ?? 0) % alphabet.length]).join('')
}

/** Money that moves outside of our sight: whom to pay, how much, and what to write with it. */
export function byHandStep(
  { order, dueMinor }: Due,
  { payee, words, isAsFriends = false }: { payee: string; words: string; isAsFriends?: boolean },
): PaymentStep {
  const exponent = exponentOf(order.currency) ?? 2
  const amount = `${(dueMinor / 10 ** exponent).toFixed(exponent)} ${order.currency}`
  const code = orderCode(order)
  const told = `Send ${amount} to ${payee} and write ${code} in the note. Then say that you paid.`
  const asFriends = isAsFriends ? 'Send it as to friends and family.' : ''
  const instructions = [told, asFriends, words].filter((each) => each !== '').join('\n\n')
  return { ...noStep, payee, code, instructions, isAsFriends, words }
}
