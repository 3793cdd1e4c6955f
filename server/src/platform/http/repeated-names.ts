const quote = 0x22
const backslash = 0x5c

interface Level {
  /** Undefined in a list. */
  readonly names: Set<string> | undefined
  /** The name or the place of what is being read. */
  at: string | number
  isNameNext: boolean
}

/**
 * The path of the first name that an object has twice, of which a reader would silently drop one; undefined when there is
 * none. The text is JSON.
 */
export function repeatedName(text: string): string | undefined {
  const levels: Level[] = []
  let top: Level | undefined
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charAt(index)) {
      case '{':
        top = { names: new Set(), at: '', isNameNext: true }
        levels.push(top)
        break
      case '[':
        top = { names: undefined, at: 0, isNameNext: false }
        levels.push(top)
        break
      case '}':
      case ']':
        levels.pop()
        top = levels.at(-1)
        break
      case ',':
        if (top && typeof top.at === 'number') top.at += 1
        else if (top) top.isNameNext = true
        break
      case '"': {
        const end = endOfString(text, index)
        if (top?.names && top.isNameNext) {
          const name = String(JSON.parse(text.slice(index, end + 1)))
          top.at = name
          top.isNameNext = false
          if (top.names.has(name)) return levels.map(({ at }) => at).join('.')
          top.names.add(name)
        }
        index = end
      }
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === backslash) index += 1
    else if (code === quote) return index
  }
  return text.length
}
