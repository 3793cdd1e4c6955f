import * as contract from '@keystall/contract/endpoints/development'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { selectMails } from '#platform/mail/queries'
import { notFound } from '#problem'

const mailsShown = 100

export const developmentRoutes: Implementation[] = [
  implement(contract.listMails, async ({ db, platform }) => {
    if (!platform.config.isMailPageOn) throw notFound('page')
    const mails = await selectMails(db, mailsShown)
    return ok(mails.map(({ toAddress, ...mail }) => ({ ...mail, to: toAddress })))
  }),
]
