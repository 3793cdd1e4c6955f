import { isLanguage } from '@keystall/storefront/languages'
import { speechOf } from '@keystall/storefront/speech'
import { Type } from 'typebox'
import { storeOrigin } from '#platform/addresses'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { enqueue, job } from '#platform/jobs/job'
import { isMailAddress } from '#platform/mail/address'
import { layout } from '#platform/mail/layout'
import { isMailWritten, mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import { hashToken, newToken } from '#platform/secrets/tokens'
import { invalid } from '#problem'
import type { StoreRow } from '#stores/tables'
import {
  deleteCustomerSession,
  insertCustomerSession,
  insertLink,
  selectAddressee,
  selectSignedIn,
  takeLink,
} from './portal-queries.ts'

const linkSeconds = 15 * 60
/** Links that work at the same time: nobody's mailbox is flooded by somebody who knows the address. */
const openLinksMax = 3
const tokenBits = 256
export const sessionSeconds = 30 * 24 * 3600

export const mailLinkJob = job(
  'mail-customer-link',
  Type.Object({
    storeId: Type.String(),
    emailAddress: Type.String(),
    language: Type.String(),
    /** One wish, one mail, however often the job is done; one that was promised by an earlier version has none. */
    mailId: Type.Optional(Type.String()),
  }),
)

type LinkRequest = Type.Static<(typeof mailLinkJob)['schema']>

/** Whether anybody has the address is found out later, so that the answer tells nobody, not even by its time. */
export async function askForLinkLater(tx: Tx, request: Omit<LinkRequest, 'mailId'>): Promise<void> {
  if (!isMailAddress(request.emailAddress)) throw invalid({ emailAddress: 'must be an e-mail address' })
  await enqueue(tx, mailLinkJob, { ...request, mailId: newId() })
}

/** Nothing happens when the store has no such customer. */
export async function mailLink(tx: Tx, { config }: Pick<Platform, 'config'>, request: LinkRequest): Promise<void> {
  const { mailId = newId() } = request
  const customer = await selectAddressee(tx, request)
  if (!customer || (await isMailWritten(tx, mailId))) return
  const token = newToken(tokenBits)
  const link = { tokenHash: hashToken(token), seconds: linkSeconds, openMax: openLinksMax }
  if (!(await insertLink(tx, customer, link))) return
  const { say, language } = speechOf(isLanguage(request.language) ? request.language : 'en')
  const store = customer.storeName.replace(/\s+/g, ' ')
  await mailLater(
    tx,
    {
      to: customer.emailAddress,
      subject: say('mailLinkSubject', { store }),
      ...layout({
        language,
        title: say('mailLinkTitle', { store }),
        paragraphs: [say('mailLinkText')],
        button: { label: say('mailLinkButton'), url: `${storeOrigin(config, customer)}/portal/enter?token=${token}` },
        footer: say('mailLinkFooter', { store }),
        sender: store,
      }),
    },
    mailId,
  )
}

/** The token of the new session; undefined when the link is spent, too old or of another store. */
export async function enterPortal(tx: Tx, store: StoreRow, linkToken: string): Promise<string | undefined> {
  const customer = await takeLink(tx, { storeId: store.id, tokenHash: hashToken(linkToken) })
  if (!customer) return undefined
  const token = newToken(tokenBits)
  await insertCustomerSession(tx, customer, { tokenHash: hashToken(token), seconds: sessionSeconds })
  return token
}

export function findSignedIn(db: Db, store: StoreRow, token: string) {
  return selectSignedIn(db, { storeId: store.id, tokenHash: hashToken(token) })
}

export function leavePortal(tx: Tx, store: StoreRow, token: string): Promise<void> {
  return deleteCustomerSession(tx, { storeId: store.id, tokenHash: hashToken(token) })
}
