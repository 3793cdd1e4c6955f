import { coinOf, type Parameters, testKeys } from '../utxo/parameters.ts'

export const bitcoin: Parameters = {
  coin: coinOf('bitcoin', 'BTC', 546n),
  name: 'Bitcoin',
  path: "m/84'/0'/0'",
  networks: {
    mainnet: {
      bech32: 'bc',
      pubKeyHash: 0x00,
      scriptHash: 0x05,
      wif: 0x80,
      keys: [
        { name: 'zpub', version: 0x04b24746, script: 'segwit' },
        { name: 'xpub', version: 0x0488b21e, script: 'segwit' },
        { name: 'ypub', version: 0x049d7cb2, script: 'nested' },
      ],
    },
    testnet: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, keys: testKeys },
    regtest: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, keys: testKeys },
  },
  server: (config) => config.bitcoin,
}
