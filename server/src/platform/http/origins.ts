/** Any shop page may call the API; keys travel in a header, never in a cookie, so every origin is welcome. */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  // Beside what every page may read: when to come back, and what to name when asking for help.
  'access-control-expose-headers':
    'Content-Disposition, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
}
