/** By what is wrong, how often. What begins with "lost" or "doubled" is counted in those columns. */
export type Wrong = Record<string, number>
