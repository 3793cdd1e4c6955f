/** Networks known for servers and VPN exits, whatever they call themselves. */
const hostingNumbers = new Set([
  8075, 9009, 12876, 13335, 14061, 14618, 15169, 16276, 16509, 20473, 24940, 31898, 36351, 37963, 39351, 45102, 47583,
  51167, 53667, 60068, 62240, 63949, 132203, 136787, 200651, 202425, 206092, 207137, 208323, 209103, 212238, 396982,
])

const hostingWords =
  /\b(hosting|hosted|webhost\w*|web ?hosting|vps|vpn|proxy|colo|colocation|datacamp|data ?cent(er|re)s?|dedicated|servers?|cloud|rackspace|linode|digitalocean|hetzner|ovh|contabo|vultr|leaseweb|m247|mullvad|nordvpn|expressvpn|tefincom)\b|host(ing)?( |,)*(ltd|llc|inc|gmbh|bv|b\.v\.|srl|sas|sia|uab)\b/i

/** A guess from the network's number and name: people at home come from elsewhere. */
export function isHostingNetwork(number: number, name: string): boolean {
  return hostingNumbers.has(number) || hostingWords.test(name)
}
