const quote = 0x22
const backslash = 0x5c

interface Level {
  /** Undefined in a list. */
  readonly names: Set<string> | undefined
  /** The name or the place of what is being read. */
  at: string | number
  isNameNext: boolean
}

/** More than the longest order of a store's products has; reading on would keep everybody else waiting. */
const namesMax = 50_000

/**
 * Why the names in a body are refused: an object has one of them twice, of which a reader would silently drop one, or
 * there are too many of them. Undefined when all is well. The text is JSON.
 */
export function wrongNames(text: string): Record<string, string> | undefined {
  const levels: Level[] = []
  let top: Level | undefined
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x7b: // {
        top = { names: new Set(), at: '', isNameNext: true }
        levels.push(top)
        break
      case 0x5b: // [
        top = { names: undefined, at: 0, isNameNext: false }
        levels.push(top)
        break
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop()
        top = levels.at(-1)
        break
      case 0x2c: // ,
        if (top && typeof top.at === 'number') top.at += 1
        else if (top) top.isNameNext = true
        break
      case quote: {
        const end = endOfString(text, index)
        if (top?.names && top.isNameNext) {
          const name = nameOf(text.slice(index, end + 1))
          top.at = name
          top.isNameNext = false
          count += 1
          if (top.names.has(name)) return { [levels.map(({ at }) => at).join('.')]: 'is given twice' }
          if (count > namesMax) return { body: `has more than ${namesMax} names` }
          top.names.add(name)
        }
        index = end
      }
    }
  }
  return undefined
}

function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === backslash) index += 1
    else if (code === quote) return index
  }
  return text.length
}
