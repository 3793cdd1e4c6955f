import { Type } from 'typebox'

const form = /^\s*\d{1,3}(\s*,\s*\d{1,3}\s+from\s+\d{1,9}(\.\d{1,3})?)*\s*$/

/** Among the settings of every coin. */
export const confirmationsField = Type.Optional(
  Type.String({
    title: 'Confirmations',
    description: 'How many blocks make a payment final. More for larger orders: 1, 3 from 100, 6 from 1000.',
    default: '1',
    pattern: `^$|${form.source}`,
    maxLength: 100,
    reason: 'must be a number, or such as 1, 3 from 100, 6 from 1000',
  }),
)

/** `1, 3 from 100, 6 from 1000`: how many confirmations an order of this amount needs. Never less than one. */
export function confirmationsFor(setting: string, amount: number): number {
  const tiers = setting.split(',').map((part) => {
    const [, count = '1', from = '0'] = /(\d+)(?:\s+from\s+([\d.]+))?/.exec(part) ?? []
    return { count: Number(count), from: Number(from) }
  })
  const reached = tiers.filter(({ from }) => amount >= from).map(({ count }) => count)
  return Math.max(1, ...reached)
}
