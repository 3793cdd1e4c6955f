/** Whenever this process exits, the work is done first; unless what is answered was called, since it is done. */
export function atExit(work: () => void): () => void {
  process.once('exit', work)
  return () => void process.off('exit', work)
}
