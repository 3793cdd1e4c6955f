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
 * An object that has a name twice, of which a reader would silently drop one, and where. Undefined when there is none,
 * or when the text is not JSON, which its reader will say.
 */
export function doubledName(text: string): Record<string, string> | undefined {
  const levels: Level[] = []
  let top: Level | undefined
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
          if (top.names.has(name)) return { [levels.map(({ at }) => at).join('.')]: 'is given twice' }
          top.names.add(name)
        }
        index = end
      }
    }
  }
  return undefined
}

function nameOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === backslash) index += 1
    else if (code === quote) return index
  }
  return text.length
}
