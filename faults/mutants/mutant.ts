/** One deliberate breakage, and the tests that must notice it. */
export interface Mutant {
  readonly number: number
  readonly breakage: string
  readonly edits: readonly Edit[]
  /** Test files, and the words that the names of the tests hold. */
  readonly tests: readonly string[]
  readonly named?: string
}

export interface Edit {
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

export function edit(file: string, find: string, replace: string): Edit {
  return { file, find, replace }
}

/** Undefined when the source has changed, so that the breakage is nowhere or in more than one place. */
export function broken(text: string, { find, replace }: Edit): string | undefined {
  const parts = text.split(find)
  return parts.length === 2 ? parts.join(replace) : undefined
}
