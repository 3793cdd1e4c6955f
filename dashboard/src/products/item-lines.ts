/** What a call may hold, with room for quotes and commas. */
const batchBytesMax = 8 * 2 ** 20
const batchItemsMax = 50_000
const linesATurn = 20_000

/** An item a line; empty lines are none. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
}

/** The places of lines that stood before in the list. Gives others a turn in between: the page stays awake. */
export async function repeatedIn(lines: readonly string[]): Promise<number[]> {
  const seen = new Set<string>()
  const repeated: number[] = []
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) repeated.push(index)
    else seen.add(line)
    if (index % linesATurn === linesATurn - 1) await nextTurn()
  }
  return repeated
}

/** Lists that each fit into one call. */
export function* batchesOf(lines: readonly string[]): Generator<readonly string[]> {
  let from = 0
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    // At most three bytes a character, and marks around it.
    const size = line.length * 3 + 4
    if (index > from && (bytes + size > batchBytesMax || index - from >= batchItemsMax)) {
      yield lines.slice(from, index)
      from = index
      bytes = 0
    }
    bytes += size
  }
  if (from < lines.length) yield lines.slice(from)
}

function nextTurn() {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
