import { preferredLanguage } from '@keystall/storefront/languages'
import { networkOf } from '#platform/network'
import type { Visit } from '#platform/http/caller'
import type { Platform } from '#platform/platform'

const userAgentMax = 1024

/** Who a buyer in person is comes from the request itself, never from what it says. */
export async function buyerOf({ geography }: Platform, { ip, userAgent, acceptLanguage }: Visit) {
  return {
    ipAddress: ip,
    network: networkOf(ip),
    userAgent: userAgent === '' ? null : userAgent.slice(0, userAgentMax),
    language: preferredLanguage(acceptLanguage),
    isMarketplace: false,
    countryCode: (await geography.countryOf(ip)) ?? null,
  }
}
