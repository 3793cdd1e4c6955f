import { createRequire } from 'node:module'
import { isHostingNetwork } from './networks.ts'
import { type RangeTable, readRanges } from './ranges.ts'

/** Where an address is and whose it is, from tables that come with the program. Unknown is undefined, never a guess. */
export interface Geography {
  /** Two letters, as ISO 3166 has them. */
  countryOf(ip: string): Promise<string | undefined>
  /** The number of the network that announces the address. */
  asnOf(ip: string): Promise<number | undefined>
  /** Servers, VPNs and proxies, as far as the network's name tells; false when unknown. */
  isHosting(ip: string): Promise<boolean>
}

const { resolve } = createRequire(import.meta.url)

/** Countries: NRO data, CC0. Networks: RouteViews and DB-IP (https://db-ip.com), CC BY 4.0. Loaded at the first question. */
export function createGeography(): Geography {
  let countries: Promise<CountryTable> | undefined
  let networks: Promise<NetworkTable> | undefined

  async function networkOf(ip: string): Promise<number | undefined> {
    networks ??= readNetworks()
    return (await networks).ranges.find(ip)
  }

  return {
    async countryOf(ip) {
      countries ??= readCountries()
      const { ranges, codes } = await countries
      const index = ranges.find(ip)
      return index === undefined ? undefined : codes[index]
    },
    asnOf: networkOf,
    async isHosting(ip) {
      const number = await networkOf(ip)
      return number !== undefined && ((await networks)?.hosting.has(number) ?? false)
    },
  }
}

interface CountryTable {
  readonly ranges: RangeTable
  readonly codes: readonly string[]
}

async function readCountries(): Promise<CountryTable> {
  const indexes = new Map<string, number>()
  const ranges = await readRanges(filesOf('asn-country'), (fields) => {
    const code = fields.trim()
    const index = indexes.get(code) ?? indexes.size
    indexes.set(code, index)
    return index
  })
  return { ranges, codes: [...indexes.keys()] }
}

interface NetworkTable {
  readonly ranges: RangeTable
  readonly hosting: ReadonlySet<number>
}

/** Names are judged while they are read and then forgotten: they would take more room than all the rest. */
async function readNetworks(): Promise<NetworkTable> {
  const judged = new Set<number>()
  const hosting = new Set<number>()
  const ranges = await readRanges(filesOf('asn'), (fields) => {
    const comma = fields.indexOf(',')
    const number = Number(comma < 0 ? fields : fields.slice(0, comma))
    if (judged.has(number)) return number
    judged.add(number)
    if (isHostingNetwork(number, fields.slice(comma + 1))) hosting.add(number)
    return number
  })
  return { ranges, hosting }
}

function filesOf(name: 'asn' | 'asn-country') {
  const file = (version: string) => resolve(`@ip-location-db/${name}/${name}-${version}-num.csv`)
  return { ipv4: file('ipv4'), ipv6: file('ipv6') }
}
