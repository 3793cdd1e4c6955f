import { invalid } from '#problem'
import { commonPasswords } from './common-passwords.ts'

const passwordCharactersMin = 10

/** Read when it is first needed: the server starts without it. */
const argon2 = () => import('@node-rs/argon2')

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return hash(password.normalize('NFC'))
}

/** Without an account the password is compared all the same, so that the time does not tell. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  // First: where it cannot be read now, a decoy would fail for good, and with nobody to hear of it.
  const { verify } = await argon2()
  decoy ??= hashPassword(crypto.randomUUID())
  const isRight = await verify(passwordHash ?? (await decoy), password.normalize('NFC'))
  return isRight && passwordHash !== undefined
}

let decoy: Promise<string> | undefined

/** Long is not enough: the first guesses are known lists, the person's own names, and one thing repeated. */
export function refuseWeakPassword(
  password: string,
  person: { emailAddress: string; userName: string },
  field = 'password',
): void {
  const plain = password.normalize('NFC').toLowerCase()
  if (Array.from(plain).length < passwordCharactersMin) {
    throw invalid({ [field]: `must have at least ${passwordCharactersMin} characters` })
  }
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
  if (commonPasswords.has(plain) || commonPasswords.has(core) || isRepetition(plain)) {
    throw invalid({ [field]: 'is too common: choose one that nobody would guess' })
  }
  const own = [person.emailAddress, person.emailAddress.split('@')[0] ?? '', person.userName].map((name) =>
    name.toLowerCase(),
  )
  if (own.some((name) => name !== '' && (plain === name || core === name))) {
    throw invalid({ [field]: 'must not be made of your name or e-mail address' })
  }
}

/** One to four characters over and over, or a run along the alphabet, the digits or the keyboard. */
function isRepetition(plain: string): boolean {
  if (/^(.{1,4}?)\1+.{0,3}$/su.test(plain) && new Set(plain).size <= 4) return true
  const runs = [
    'abcdefghijklmnopqrstuvwxyz',
    '01234567890123456789',
    'qwertyuiopasdfghjklzxcvbnm',
    'qwertzuiopasdfghjkl',
  ]
  return runs.some((run) => run.includes(plain) || Array.from(run).toReversed().join('').includes(plain))
}
