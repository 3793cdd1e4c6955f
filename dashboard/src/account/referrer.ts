const name = 'referrer'

/** Whoever sent this browser here first is who referred it, whichever link it follows later. */
export function firstReferrer(code: string | undefined): string | null {
  try {
    const known = localStorage.getItem(name)
    if (known !== null) return known
    if (code !== undefined) localStorage.setItem(name, code)
  } catch {
    // Without storage the link at hand counts.
  }
  return code ?? null
}
