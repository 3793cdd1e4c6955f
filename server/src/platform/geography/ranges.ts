import { createReadStream } from 'node:fs'
import { isIP } from 'node:net'
import { createInterface } from 'node:readline'
import ipaddr from 'ipaddr.js'

/** Sorted ranges that do not overlap, each with a small number. IPv6 is told apart by its first 64 bits. */
export interface RangeTable {
  /** Undefined when no range holds the address, or the text is none. */
  find(ip: string): number | undefined
  readonly size: number
}

/** Reads `start,end,…` lines of decimal addresses, a little at a time, so that nobody waits for it. */
export async function readRanges(
  files: { ipv4: string; ipv6: string },
  valueOf: (fields: string) => number,
): Promise<RangeTable> {
  const four = createColumns(Uint32Array, (text) => Number(text))
  const six = createColumns(BigUint64Array, (text) => BigInt(text) >> 64n)
  await Promise.all([readInto(files.ipv4, four, valueOf), readInto(files.ipv6, six, valueOf)])
  const ipv4 = four.finished()
  const ipv6 = six.finished()
  return {
    size: ipv4.size + ipv6.size,
    find(ip) {
      if (isIP(ip) === 0) return undefined
      const address = ipaddr.process(ip)
      const bytes = Buffer.from(address.toByteArray())
      return address.kind() === 'ipv4' ? ipv4.find(bytes.readUInt32BE()) : ipv6.find(bytes.readBigUInt64BE())
    },
  }
}

interface Columns<Address> {
  add(start: string, end: string, value: number): void
  finished(): { size: number; find(address: Address): number | undefined }
}

interface AddressArray<Address> {
  [index: number]: Address
  readonly length: number
  set(from: ArrayLike<Address>): void
  slice(start: number, end: number): AddressArray<Address>
}

function createColumns<Address extends number | bigint>(
  ArrayType: new (length: number) => AddressArray<Address>,
  parse: (text: string) => Address,
): Columns<Address> {
  let starts = new ArrayType(1 << 16)
  let ends = new ArrayType(1 << 16)
  let values = new Uint32Array(1 << 16)
  let size = 0

  function grow(): void {
    const length = starts.length * 2
    const old = { starts, ends, values }
    starts = new ArrayType(length)
    ends = new ArrayType(length)
    values = new Uint32Array(length)
    starts.set(old.starts)
    ends.set(old.ends)
    values.set(old.values)
  }

  return {
    add(start, end, value) {
      if (size === starts.length) grow()
      starts[size] = parse(start)
      ends[size] = parse(end)
      values[size] = value
      size++
    },
    finished() {
      const [first, last, found] = [starts.slice(0, size), ends.slice(0, size), values.slice(0, size)]
      return { size, find: (address) => findIn(first, last, found, address) }
    },
  }
}

function findIn<Address extends number | bigint>(
  starts: AddressArray<Address>,
  ends: AddressArray<Address>,
  values: Uint32Array,
  address: Address,
): number | undefined {
  let low = 0
  let high = starts.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = starts[middle]
    const end = ends[middle]
    if (start === undefined || end === undefined) return undefined
    if (address < start) high = middle - 1
    else if (address > end) low = middle + 1
    else return values[middle]
  }
  return undefined
}

async function readInto<Address>(
  path: string,
  columns: Columns<Address>,
  valueOf: (fields: string) => number,
): Promise<void> {
  const lines = createInterface({ input: createReadStream(path, { highWaterMark: 64 * 1024 }) })
  for await (const line of lines) {
    const first = line.indexOf(',')
    const second = line.indexOf(',', first + 1)
    if (second < 0) continue
    columns.add(line.slice(0, first), line.slice(first + 1, second), valueOf(line.slice(second + 1)))
  }
}
