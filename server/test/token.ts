/** Opcodes of the Ethereum machine, as far as the token needs them. */
const opcodes = {
  add: 0x01,
  sub: 0x03,
  lt: 0x10,
  eq: 0x14,
  shr: 0x1c,
  caller: 0x33,
  calldataload: 0x35,
  codecopy: 0x39,
  mstore: 0x52,
  sload: 0x54,
  sstore: 0x55,
  jumpi: 0x57,
  jumpdest: 0x5b,
  dup1: 0x80,
  dup2: 0x81,
  dup3: 0x82,
  swap1: 0x90,
  log3: 0xa3,
  return: 0xf3,
  revert: 0xfd,
} as const

type Word = keyof typeof opcodes | number | `0x${string}` | `:${string}` | `@${string}`

/** The event's name as logs have it: keccak of `Transfer(address,address,uint256)`. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transferSelector = '0xa9059cbb'
const balanceSelector = '0x70a08231'

/** As much of an ERC-20 token as wallets use: `transfer`, which logs, and `balanceOf`. A balance is kept under its address. */
const runtime = assemble([
  ...[0, 'calldataload', 0xe0, 'shr'],
  ...['dup1', transferSelector, 'eq', '@transfer', 'jumpi'],
  ...['dup1', balanceSelector, 'eq', '@balance', 'jumpi'],
  ...[0, 0, 'revert'],

  ':transfer',
  ...[0x24, 'calldataload', 'caller', 'sload'], // amount, balance
  ...['dup2', 'dup2', 'lt', '@poor', 'jumpi'], // balance < amount
  ...['dup2', 'swap1', 'sub', 'caller', 'sstore'],
  ...['dup1', 4, 'calldataload', 'sload', 'add', 4, 'calldataload', 'sstore'],
  ...[0, 'mstore'],
  ...[4, 'calldataload', 'caller', transferTopic, 0x20, 0, 'log3'],
  ...[1, 0, 'mstore', 0x20, 0, 'return'],

  ':balance',
  ...[4, 'calldataload', 'sload', 0, 'mstore', 0x20, 0, 'return'],

  ':poor',
  ...[0, 0, 'revert'],
] as Word[])

/** What deploys it: a billion of six decimals for whoever does. */
export function tokenCode(): `0x${string}` {
  const length = runtime.length / 2
  const start = (offset: number) =>
    assemble(['0x038d7ea4c68000', 'caller', 'sstore', length, offset, 0, 'codecopy', length, 0, 'return'])
  const offset = start(0).length / 2
  return `0x${start(offset)}${runtime}`
}

/** Labels are two bytes, so that their length is known before their place is. */
function assemble(words: readonly Word[]): string {
  const places = new Map<string, number>()
  const build = () => {
    let code = ''
    for (const word of words) {
      if (typeof word === 'string' && word.startsWith(':')) {
        places.set(word.slice(1), code.length / 2)
        code += hex(opcodes.jumpdest)
      } else if (typeof word === 'string' && word.startsWith('@')) {
        code += `61${(places.get(word.slice(1)) ?? 0).toString(16).padStart(4, '0')}`
      } else if (typeof word === 'string' && word.startsWith('0x')) {
        code += hex(0x5f + (word.length - 2) / 2) + word.slice(2)
      } else if (typeof word === 'number') {
        code += `61${word.toString(16).padStart(4, '0')}`
      } else {
        code += hex(opcodes[word as keyof typeof opcodes])
      }
    }
    return code
  }
  build()
  return build()
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
