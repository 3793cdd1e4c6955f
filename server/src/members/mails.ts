import { memberWords, scopeNames } from '@keystall/contract/scopes'
import type { UserRow } from '#account/tables'
import type { Tx } from '#platform/db/database'
import { layout, type MailContent } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { selectOwner } from './queries.ts'
import type { InvitationRow } from './tables.ts'

export async function mailInvitationLater(
  tx: Tx,
  platform: Platform,
  {
    store,
    invitation,
    token,
    invitedBy,
  }: { store: StoreRow; invitation: InvitationRow; token: string; invitedBy: string },
): Promise<void> {
  const given = scopeNames.filter((scope) => invitation.scopes.includes(scope)).map(memberWords)
  const link = new URL('/invitation', platform.config.dashUrl)
  link.searchParams.set('store', store.id)
  link.searchParams.set('token', token)
  await write(tx, platform, invitation.emailAddress, {
    title: `Join ${oneLine(store.name)}`,
    paragraphs: [
      `${invitedBy} asks you to work in the store ${oneLine(store.name)}.`,
      `You could: ${given.join('; ')}.`,
      'The link is good for seven days, and only for this address.',
    ],
    button: { label: 'Look at the invitation', url: link.href },
    footer: 'If you do not know them, do not click: without it nothing happens.',
  })
}

/** The owner learns of everybody who comes in, whoever asked them. */
export async function mailJoinedLater(
  tx: Tx,
  platform: Platform,
  { storeId, user }: { storeId: string; user: UserRow },
): Promise<void> {
  const owner = await selectOwner(tx, storeId)
  await write(tx, platform, owner.emailAddress, {
    title: `${user.userName} has joined ${oneLine(owner.storeName)}`,
    paragraphs: [
      `${user.userName} (${user.emailAddress}) has accepted the invitation to ${oneLine(owner.storeName)}.`,
      'What they may do, and who else works there, stands on the page of members.',
    ],
    button: { label: 'Look at the members', url: `${platform.config.dashUrl.origin}/stores/${storeId}/members` },
    footer: 'You get this mail because the store is yours.',
  })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function write(tx: Tx, { config }: Platform, to: string, content: MailContent): Promise<void> {
  const footer = `${content.footer}\nSent by Keystall at ${config.dashUrl.host}.`
  return mailLater(tx, { to, subject: content.title, ...layout({ ...content, footer }) })
}
