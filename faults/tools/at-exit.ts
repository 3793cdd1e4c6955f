/** Whatever happens to this process, the work is done at its end; unless what is answered was called, since it is done. */
export function atExit(work: () => void): () => void {
  process.once('exit', work)
  return () => void process.off('exit', work)
}
