/** In milliseconds, the same in every process of the machine, whatever is done to its date. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
