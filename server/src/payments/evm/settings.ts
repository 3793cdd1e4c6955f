import { type Static, Type } from 'typebox'
import type { Platform } from '#platform/platform'
import { conflict, invalid } from '#problem'
import type { Wallet } from '../chain/coin.ts'
import { confirmationsField } from '../chain/confirmations.ts'
import type { Account, Fact } from '../method.ts'
import { flag, internal, optionalSecret, settingsOf } from '../settings-form.ts'

export const evmSettings = Type.Object({
  extendedKey: optionalSecret({
    title: 'Extended public key',
    description:
      "Of an account that is for this store alone (xpub, of m/44'/60'/0'). It can watch, but never spend: what comes " +
      'is moved with your own wallet.',
  }),
  isMadeHere: flag({
    title: 'Make a wallet here',
    description:
      'If you have none. Its twelve words are shown once, when you save: write them down. What comes can be sent on ' +
      'from here.',
  }),
  confirmations: confirmationsField,
  seed: internal(),
  seedKey: internal(),
})

type EvmSettings = Static<typeof evmSettings>

/** Blocks come every 12 seconds, and the newest are the ones that change. */
const confirmationsUsual = '6'

/** Keys are large to load, and a shop without coins never loads them. */
const loading = { wallet: () => import('./wallet.ts'), seed: () => import('../chain/seed.ts') }

export function evmSettingsOf({ settings }: Account): EvmSettings {
  return settingsOf(evmSettings, settings)
}

/** Before saving: a key that can be used, or a new wallet when one is asked for. */
export async function connectEvm({ config }: Platform, account: Account): Promise<unknown> {
  if (!config.ethereum.url) throw conflict('Whoever runs this server has named no Ethereum node to ask')
  if (!config.rates) throw conflict('Whoever runs this server has named no source of rates')
  const settings = evmSettingsOf(account)
  if (settings.isMadeHere) return { ...settings, ...(await seedOf(settings)) }
  const wallet = await openWallet(settings)
  if ('reason' in wallet) throw invalid({ 'settings.extendedKey': wallet.reason })
  return settings
}

export async function evmWallet(account: Account): Promise<Wallet> {
  const wallet = await openWallet(evmSettingsOf(account))
  if ('reason' in wallet) throw conflict(`The extended public key ${wallet.reason}`)
  return wallet
}

export async function evmFacts(account: Account): Promise<Fact[]> {
  if (account.settings === undefined) return []
  const wallet = await openWallet(evmSettingsOf(account))
  if ('reason' in wallet) return []
  return [{ label: 'First address: your wallet must show the same', value: wallet.derive(0).address }]
}

/** One seed a store: saved again, it stays. */
async function seedOf({ seed, seedKey }: EvmSettings) {
  if (seed !== undefined && seedKey !== undefined) return { seed, seedKey }
  const [{ newSeed }, { extendedKeyOfSeed }] = await Promise.all([loading.seed(), loading.wallet()])
  const made = newSeed()
  return { seed: made, seedKey: extendedKeyOfSeed(made) }
}

async function openWallet({ isMadeHere, seedKey = '', extendedKey = '', confirmations }: EvmSettings) {
  const { walletOf } = await loading.wallet()
  return walletOf({
    extendedKey: isMadeHere ? seedKey : extendedKey,
    confirmations: confirmations || confirmationsUsual,
  })
}
