import { TypeOverrides, types } from 'pg'

const { INT8, NUMERIC, DATE } = types.builtins
const textArray: number = 1009
const byteaArray: number = 1001
const bigintArray: number = 1016
const dateArray: number = 1182
const numericArray: number = 1231

/** How columns arrive in JavaScript: bigint and numeric as numbers, date as its text, timestamptz as Date. */
export const rowTypes = new TypeOverrides()

setParser({ type: INT8, arrayType: bigintArray }, toNumber)
setParser({ type: NUMERIC, arrayType: numericArray }, toNumber)
// A Date would be local midnight, another day elsewhere.
setParser({ type: DATE, arrayType: dateArray }, (text) => text)

// The parser for any array goes letter by letter, which for the items of a large order takes seconds.
rowTypes.setTypeParser(byteaArray, toBuffers)

/** Reads `{"\\x6162",NULL}`: nothing in it but digits, so every comma stands between two elements. */
function toBuffers(text: string): (Buffer | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : Buffer.from(element.slice(4, -1), 'hex')))
}

/** Refuses what a number cannot hold, so that an amount is never changed silently: read such a column as text. */
function toNumber(text: string): number {
  const value = Number(text)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} does not fit a number`)
  return value
}

function setParser<T>({ type, arrayType }: { type: number; arrayType: number }, parse: (text: string) => T): void {
  const parseTexts = types.getTypeParser(textArray) as (text: string) => (string | null)[]
  rowTypes.setTypeParser(type, parse)
  rowTypes.setTypeParser(arrayType, (text: string) =>
    parseTexts(text).map((each) => (each === null ? null : parse(each))),
  )
}
