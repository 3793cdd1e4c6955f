// Order matters: many browsers carry the names of others.
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox on Linux", as well as a user agent tells. */
export function browserName(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}

export function isPhone(userAgent: string | null): boolean {
  return /iPhone|Android.*Mobile/.test(userAgent ?? '')
}

function nameIn(names: readonly [RegExp, string][], userAgent: string | null) {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
}
