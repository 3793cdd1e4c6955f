import { networkOf } from '#platform/network'
import type { Visit } from '#platform/http/caller'
import type { Platform } from '#platform/platform'

const userAgentMax = 1024

/** Who a buyer in person is comes from the request itself, never from what it says. */
export async function buyerOf({ geography }: Platform, { ip, userAgent }: Visit) {
  return {
    ipAddress: ip,
    network: networkOf(ip),
    userAgent: userAgent === '' ? null : userAgent.slice(0, userAgentMax),
    countryCode: (await geography.countryOf(ip)) ?? null,
  }
}
