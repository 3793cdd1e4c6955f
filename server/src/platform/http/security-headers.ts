const halfAYearSeconds = 180 * 24 * 3600

/**
 * With every answer of every host, failures and answers without a body too; pages say what they allow in the place of
 * the policy here, which allows nothing.
 */
export function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(isSecure ? { 'strict-transport-security': `max-age=${halfAYearSeconds}` } : {}),
  }
}
