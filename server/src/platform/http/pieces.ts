const looseMax = 256

export interface Pieces {
  add(piece: Buffer): void
  whole(): Buffer
  /** Nobody will ask for them. */
  drop(): void
}

/** Of what comes in pieces, few are kept: one for each byte, as a sender may cut it, takes a hundred times of that. */
export function gatherPieces(): Pieces {
  const joined: Buffer[] = []
  const loose: Buffer[] = []
  return {
    add(piece) {
      loose.push(piece)
      if (loose.length < looseMax) return
      joined.push(Buffer.concat(loose))
      loose.length = 0
    },
    whole: () => Buffer.concat([...joined, ...loose]),
    drop() {
      joined.length = 0
      loose.length = 0
    },
  }
}
