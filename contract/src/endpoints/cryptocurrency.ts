import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { CryptoBalance } from '../shapes/cryptocurrency.ts'
import { list } from '../values.ts'

export const listEnabledCryptocurrencies = endpoint({
  method: 'GET',
  path: '/cryptocurrency/enabled',
  access: 'ViewEnabledCryptos',
  summary: 'List the cryptocurrencies that the user takes',
  reply: envelope(list(Type.String({ description: 'A payment method ID.' }), 'The cryptocurrencies.')),
})

export const listCryptoBalances = endpoint({
  method: 'GET',
  path: '/cryptocurrency/balance',
  access: 'ViewCryptoBalance',
  summary: "List the user's cryptocurrency balances",
  reply: envelope(list(CryptoBalance, 'A balance for each cryptocurrency that the user takes.')),
})
