/** More than the longest order of a store's products has; reading on would keep everybody else waiting. */
const namesMax = 50_000

/** More than any list of ours may have but those of items, which are strings in a body of their own size. */
const entriesMax = 20_000

/** More than any object of ours may have. */
const namesOfOneMax = 1_000

/** As deep as any value of ours may be, and a few more: the rest is found with its place once it is read. */
const levelsMax = 40

const list = -1

/** Looks at the bytes of a JSON text as they come. Whether they are JSON at all is for its reader to say. */
export interface Shape {
  /** Why the body is not even collected: there are too many names, entries or levels in it. Undefined while all is well. */
  look(bytes: Uint8Array): Record<string, string> | undefined
}

export function openShape({ areEntriesLimited }: { areEntriesLimited: boolean }): Shape {
  /** The names that each open object has so far, or that it is a list. */
  const levels: number[] = []
  let isText = false
  let isEscaped = false
  let names = 0
  let entries = 0

  function open(of: number): Record<string, string> | undefined {
    return levels.push(of) > levelsMax ? { body: 'is nested too deep' } : undefined
  }

  /** Between two names stands a comma. */
  function addName(): Record<string, string> | undefined {
    const top = levels.length - 1
    const had = levels[top] ?? list
    if (had === list) return addEntry()
    levels[top] = had + 1
    names += 1
    if (had >= namesOfOneMax) return { body: `has an object of more than ${namesOfOneMax} names` }
    return names > namesMax ? { body: `has more than ${namesMax} names` } : undefined
  }

  function addEntry(): Record<string, string> | undefined {
    entries += 1
    return areEntriesLimited && entries > entriesMax
      ? { body: `has more than ${entriesMax} entries in lists` }
      : undefined
  }

  function mark(byte: number): Record<string, string> | undefined {
    switch (byte) {
      case 0x7b: // {
        return open(0) ?? addName()
      case 0x5b: // [
        return open(list)
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop()
        return undefined
      case 0x2c: // ,
        return addName()
    }
    return undefined
  }

  return {
    look(bytes) {
      for (const byte of bytes) {
        if (isEscaped) isEscaped = false
        else if (byte === 0x22) isText = !isText
        else if (!isText) {
          const wrong = mark(byte)
          if (wrong) return wrong
        } else if (byte === 0x5c) isEscaped = true
      }
      return undefined
    },
  }
}
