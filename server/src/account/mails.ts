import type { Config } from '#config'
import type { Tx } from '#platform/db/database'
import { layout, type MailContent } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import type { UserRow } from './tables.ts'
import { makeToken } from './token.ts'

export async function mailConfirmationLater(tx: Tx, platform: Platform, user: UserRow): Promise<void> {
  const token = await makeToken(tx, user, 'confirm')
  await write(tx, platform, user.emailAddress, {
    title: 'Confirm your e-mail address',
    paragraphs: [`Welcome, ${user.userName}. One click, and your account is ready.`, 'The link is good for 24 hours.'],
    button: { label: 'Confirm and sign in', url: link(platform, '/confirm', token) },
    footer: 'If you did not register, do not click: without it nothing happens.',
  })
}

/** Somebody registered with an address that has an account. Only its owner learns of it. */
export async function mailKnownAddressLater(tx: Tx, platform: Platform, emailAddress: string): Promise<void> {
  await write(tx, platform, emailAddress, {
    title: 'You already have an account',
    paragraphs: [
      'Somebody, most likely you, tried to register with this e-mail address. It has an account already: sign in, or set a new password if you forgot yours.',
    ],
    button: { label: 'Sign in', url: page(platform, '/sign-in') },
    footer: 'If it was not you, you need not do anything.',
  })
}

export async function mailPasswordLinkLater(tx: Tx, platform: Platform, user: UserRow): Promise<void> {
  const token = await makeToken(tx, user, 'reset')
  await write(tx, platform, user.emailAddress, {
    title: 'Set a new password',
    paragraphs: [
      'Somebody, most likely you, asked for a new password for this account.',
      'The link is good once, for 15 minutes. Using it signs you out everywhere.',
    ],
    button: { label: 'Set a new password', url: link(platform, '/reset-password', token) },
    footer: 'If it was not you, you need not do anything: your password stays as it is.',
  })
}

export async function mailPasswordChangedLater(tx: Tx, platform: Platform, user: UserRow): Promise<void> {
  await write(tx, platform, user.emailAddress, {
    title: 'Your password was changed',
    paragraphs: ['If that was you, all is well. If it was not, set a new password at once and end all sessions.'],
    button: { label: 'Set a new password', url: page(platform, '/forgot-password') },
    footer: 'You get this mail whenever your password changes.',
  })
}

export async function mailEmailLinkLater(
  tx: Tx,
  platform: Platform,
  user: UserRow,
  emailAddress: string,
): Promise<void> {
  const token = await makeToken(tx, user, 'change-email', emailAddress)
  await write(tx, platform, emailAddress, {
    title: 'Confirm your new e-mail address',
    paragraphs: [`${user.userName} will sign in with this address from now on.`, 'The link is good for 24 hours.'],
    button: { label: 'Confirm this address', url: link(platform, '/confirm-email', token) },
    footer: 'If this is not your account, do not click: without it nothing happens.',
  })
}

/** So that the address of an account cannot be taken away in silence. */
export async function mailEmailNoticeLater(
  tx: Tx,
  platform: Platform,
  user: UserRow,
  emailAddress: string,
): Promise<void> {
  await write(tx, platform, user.emailAddress, {
    title: 'Your e-mail address is about to change',
    paragraphs: [
      `Your account will use ${emailAddress} once that address is confirmed.`,
      'If that was not you, set a new password now: it voids the change.',
    ],
    button: { label: 'Set a new password', url: page(platform, '/forgot-password') },
    footer: 'You get this mail because this address belongs to the account so far.',
  })
}

export async function mailTwoFactorLater(tx: Tx, platform: Platform, user: UserRow, isOn: boolean): Promise<void> {
  await write(tx, platform, user.emailAddress, {
    title: isOn ? 'Two-factor is on' : 'Two-factor is off',
    paragraphs: [
      isOn
        ? 'Signing in now needs a code of your authenticator app. Keep the recovery codes somewhere safe.'
        : 'Signing in needs your password alone again. If that was not you, set a new password at once.',
    ],
    button: { label: 'Look at your account', url: page(platform, '/account') },
    footer: 'You get this mail whenever two-factor changes.',
  })
}

export async function mailDisabledLater(tx: Tx, platform: Platform, user: UserRow, reason: string): Promise<void> {
  await write(tx, platform, user.emailAddress, {
    title: 'Your account is switched off',
    paragraphs: [
      'The staff have switched your account off. Your stores are closed, and your keys do not work.',
      reason,
      'If you think this is a mistake, answer whoever runs this site.',
    ],
    footer: 'You get this mail because the account is yours.',
  })
}

export async function mailEnabledLater(tx: Tx, platform: Platform, user: UserRow): Promise<void> {
  await write(tx, platform, user.emailAddress, {
    title: 'Your account is on again',
    paragraphs: ['Your stores are open, and your keys work as before.'],
    button: { label: 'Sign in', url: page(platform, '/sign-in') },
    footer: 'You get this mail because the account is yours.',
  })
}

function write(tx: Tx, { config }: Platform, to: string, content: MailContent): Promise<void> {
  const footer = `${content.footer}\nSent by Keystall at ${hostOf(config)}.`
  return mailLater(tx, { to, subject: content.title, ...layout({ ...content, footer }) })
}

/** The host comes from the settings, never from the request. */
function link(platform: Platform, path: string, token: string): string {
  return `${page(platform, path)}?token=${token}`
}

function page({ config }: Platform, path: string): string {
  return `${config.dashUrl.origin}${path}`
}

function hostOf(config: Config): string {
  return config.dashUrl.host
}
