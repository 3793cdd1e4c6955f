export const erasedText = '[erased]'

/** What people wrote or typed themselves, in the bodies of events. */
const words: Record<string, unknown> = {
  message: erasedText,
  subject: erasedText,
  friendlyName: erasedText,
  metadata: {},
  customValues: [],
}

/** The same JSON without the person: neither the address, wherever it stands, nor what they wrote. */
export function scrub(text: string, address: { from: string; to: string } | null): string {
  return JSON.stringify(scrubbed(JSON.parse(text), address))
}

function scrubbed(value: unknown, address: { from: string; to: string } | null): unknown {
  if (typeof value === 'string') return address ? withoutAddress(value, address) : value
  if (Array.isArray(value)) return value.map((each) => scrubbed(each, address))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name in words ? words[name] : scrubbed(each, address)]),
  )
}

function withoutAddress(text: string, { from, to }: { from: string; to: string }): string {
  const pattern = new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return text.replace(pattern, () => to)
}
