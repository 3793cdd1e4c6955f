/** Where to go after signing in: a path of this very origin, or home. Anything cleverer is an attack. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/'
  const url = new URL(next, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}
