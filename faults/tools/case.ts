/** What `npm run faults` runs: each answers the lines that it adds to the table. */
export interface Case {
  name: string
  /** `--short`, which is part of `npm test`, runs those of the short form; without it, all others. Named, any runs. */
  forms: readonly ('short' | 'whole')[]
  run(options: Options): Promise<Row[]>
}

export interface Options {
  isShort: boolean
  /** Of the load. */
  minutes: number
  /** With how many processes each, one run after the other. */
  workers: number[]
  /** The same numbers for the same seed. */
  random: () => number
}

/** One line of the table; what a case does not have is left out. */
export interface Row {
  fault: string
  times?: number
  /** Writes that a client was told are done. */
  acknowledged?: number
  lost?: number
  doubled?: number
  longestWaitMs?: number
  recoveryMs?: number
  /** From the end of the fault until everything that had to follow from it was done. */
  settledMs?: number
  verdict: 'holds' | 'FAILS' | 'not possible here'
  /** What is wrong, or what the reader should know. */
  notes?: string[]
}
