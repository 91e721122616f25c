import ipaddr from 'ipaddr.js'

/** One spelling for each address: IPv4 in IPv6 as IPv4, IPv6 compressed, no zone. */
export function canonicalAddress(address: string): string {
  const bare = address.split('%')[0] ?? ''
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : 'unknown'
}

/** What counts as one client for limits: an IPv4 address, or the /64 that one customer of an IPv6 network gets. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
