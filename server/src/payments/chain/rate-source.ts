import type { Config } from '#config'
import { askPeer } from '#platform/outbound/peer'

/** What one coin costs now, or undefined when the source does not say. Never throws. */
export type RateSource = (coin: string, currency: string) => Promise<number | undefined>

/** Chosen by the operator: fixed rates, or a server that is asked. */
export function rateSourceOf({ rates }: Pick<Config, 'rates'>): RateSource | undefined {
  if (!rates) return undefined
  if ('fixed' in rates) return async (coin, currency) => rates.fixed.get(`${coin}-${currency}`)
  return (coin, currency) => askForRate(rates.url, coin, currency)
}

const timeoutSeconds = 3
const answerBytesMax = 1024 * 1024

async function askForRate(template: string, coin: string, currency: string): Promise<number | undefined> {
  const url = template.replaceAll('{coin}', coin).replaceAll('{currency}', currency)
  const answer = await askPeer(url, { timeoutSeconds, answerBytesMax })
  if (answer instanceof Error || answer.status !== 200) return undefined
  return rateIn(answer.body, currency)
}

/** `{"rate": 1}`, `{"rates": {"USD": 1}}`, or either within `data`; numbers may be written as text. */
export function rateIn(body: Buffer, currency: string): number | undefined {
  const whole = parsed(body)
  const data: Record<string, unknown> = Object(Object(whole)['data'] ?? whole)
  const rate = Number(Object(data['rates'])[currency] ?? data['rate'])
  return Number.isFinite(rate) && rate > 0 ? rate : undefined
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
