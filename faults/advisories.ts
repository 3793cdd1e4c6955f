import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { licensed } from '../scripts/licences.ts'
import type { Case } from './tools/case.ts'

const patienceMs = 20_000
const refused = new Set(['high', 'critical'])

/** What the registry knows of weaknesses in what the product is made of. Not part of `npm test`: it needs the network. */
export const advisories: Case = {
  name: 'advisories',
  forms: ['whole'],
  async run() {
    const all = licensed()
    const fault = 'known weaknesses of dependencies'
    const known = await ask(all).catch((error: unknown) => String(error))
    if (typeof known === 'string') {
      return [
        { fault, times: all.length, verdict: 'not possible here', notes: [`the registry does not tell: ${known}`] },
      ]
    }
    const direct = new Set(all.filter(({ isDirect }) => isDirect).map(({ name }) => name))
    const told = Object.entries(known).flatMap(([name, found]) =>
      found.map(({ severity, title, url }) => ({ name, severity, text: `${name}: ${severity}, ${title} ${url}` })),
    )
    const isBad = told.some(({ name, severity }) => direct.has(name) || refused.has(severity))
    return [{ fault, times: all.length, verdict: isBad ? 'FAILS' : 'holds', notes: told.map(({ text }) => text) }]
  },
}

interface Advisory {
  severity: string
  title: string
  url: string
}

async function ask(all: ReturnType<typeof licensed>): Promise<Record<string, Advisory[]>> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  const versions = Map.groupBy(all, ({ name }) => name)
  const body = Object.fromEntries([...versions].map(([name, found]) => [name, found.map(({ version }) => version)]))
  const answer = await fetch(new URL('-/npm/v1/security/advisories/bulk', stdout.trim()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`)
  return Object(await answer.json())
}
