import { coinOf, type Parameters, testKeys } from '../utxo/parameters.ts'

export const litecoin: Parameters = {
  coin: coinOf('litecoin', 'LTC', 5460n),
  name: 'Litecoin',
  path: "m/84'/2'/0'",
  networks: {
    mainnet: {
      bech32: 'ltc',
      pubKeyHash: 0x30,
      scriptHash: 0x32,
      wif: 0xb0,
      keys: [
        { name: 'zpub', version: 0x04b24746, script: 'segwit' },
        { name: 'Ltub', version: 0x019da462, script: 'segwit' },
        { name: 'xpub', version: 0x0488b21e, script: 'segwit' },
        { name: 'Mtub', version: 0x01b26ef6, script: 'nested' },
        { name: 'ypub', version: 0x049d7cb2, script: 'nested' },
      ],
    },
    testnet: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef, keys: testKeys },
    regtest: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef, keys: testKeys },
  },
  server: (config) => config.litecoin,
}
