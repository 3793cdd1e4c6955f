import { type Static, Type } from 'typebox'
import type { Platform } from '#platform/platform'
import { conflict, invalid } from '#problem'
import type { Wallet } from '../chain/coin.ts'
import { confirmationsField } from '../chain/confirmations.ts'
import type { Account, Fact } from '../method.ts'
import { flag, internal, optionalSecret, settingsOf } from '../settings-form.ts'
import type { Parameters } from './parameters.ts'

export const utxoSettings = Type.Object({
  extendedKey: optionalSecret({
    title: 'Extended public key',
    description:
      'Of an account that is for this store alone: zpub, xpub or ypub, of Litecoin also Ltub or Mtub. It can watch, but never spend.',
  }),
  isMadeHere: flag({
    title: 'Make a wallet here',
    description:
      'If you have none. Its twelve words are shown once, when you save: write them down. What comes is sent on with ' +
      'them: every wallet that restores from words (BIP39, native SegWit of BIP84) opens it.',
  }),
  confirmations: confirmationsField,
  seed: internal(),
  seedKey: internal(),
})

type UtxoSettings = Static<typeof utxoSettings>

/** Keys are large to load, and a shop without coins never loads them. */
const loading = { wallet: () => import('./wallet.ts'), seed: () => import('../chain/seed.ts') }

/** Before saving: a key that can be used, or a new wallet when one is asked for. */
export async function connectUtxo(parameters: Parameters, platform: Platform, account: Account): Promise<unknown> {
  refuseUnserved(parameters, platform)
  const settings = settingsOf(utxoSettings, account.settings)
  if (settings.isMadeHere) return { ...settings, ...(await seedOf(parameters, platform, settings)) }
  const wallet = await openWallet(parameters, platform, settings)
  if ('reason' in wallet) throw invalid({ 'settings.extendedKey': wallet.reason })
  return settings
}

export async function utxoWallet(parameters: Parameters, platform: Platform, account: Account): Promise<Wallet> {
  const wallet = await openWallet(parameters, platform, settingsOf(utxoSettings, account.settings))
  if ('reason' in wallet) throw conflict(`The extended public key ${wallet.reason}`)
  return wallet
}

export async function utxoFacts(parameters: Parameters, platform: Platform, account: Account): Promise<Fact[]> {
  if (account.settings === undefined) return []
  const wallet = await openWallet(parameters, platform, settingsOf(utxoSettings, account.settings))
  if ('reason' in wallet) return []
  return [{ label: 'First address: your wallet must show the same', value: wallet.derive(0).address }]
}

function refuseUnserved({ name, server }: Parameters, { config }: Platform): void {
  const { nodeUrl, esploraUrl } = server(config)
  if (!nodeUrl && !esploraUrl) throw conflict(`Whoever runs this server has named no ${name} node to ask`)
  if (!config.rates) throw conflict('Whoever runs this server has named no source of rates')
}

/** One seed a store: saved again, it stays. */
async function seedOf(parameters: Parameters, { config }: Platform, { seed, seedKey }: UtxoSettings) {
  if (seed !== undefined && seedKey !== undefined) return { seed, seedKey }
  const [{ newSeed }, { extendedKeyOfSeed }] = await Promise.all([loading.seed(), loading.wallet()])
  const made = newSeed()
  const { path, networks, server } = parameters
  return { seed: made, seedKey: extendedKeyOfSeed(made, path, networks[server(config).network]) }
}

async function openWallet(
  { networks, server }: Parameters,
  { config }: Platform,
  { isMadeHere, seedKey = '', extendedKey = '', confirmations = '' }: UtxoSettings,
): Promise<Wallet | { reason: string }> {
  const { walletOf } = await loading.wallet()
  const key = isMadeHere ? seedKey : extendedKey
  return walletOf({ extendedKey: key, confirmations }, networks[server(config).network])
}
