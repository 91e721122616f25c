import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Returns the canonical form: IPv4-mapped IPv6 as IPv4, IPv6 compressed, no zone. */
export function canonicalAddress(address: string): string {
  const bare = address.split('%')[0] ?? ''
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : 'unknown'
}

function isTrusted(hop: string, trustedProxies: readonly string[]): boolean {
  if (!ipaddr.isValid(hop)) return false
  const parsed = ipaddr.parse(hop)
  return trustedProxies.some((proxy) => {
    if (!proxy.includes('/')) return ipaddr.process(proxy).toString() === parsed.toString()
    const [network, bits] = ipaddr.parseCIDR(proxy)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']
const internal = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'linkLocal'])

/**
 * Returns the address of an untrusted proxy in front of the server, or undefined. All clients behind it share one
 * network limit. Clients on the internet may send such headers too, but are not proxies.
 */
export function untrustedProxyOf(
  { headers, socket }: ForwardedRequest,
  trustedProxies: readonly string[],
): string | undefined {
  if (!forwardingHeaders.some((name) => headers[name] !== undefined)) return undefined
  const peer = canonicalAddress(socket.remoteAddress ?? '')
  if (!ipaddr.isValid(peer) || !internal.has(ipaddr.parse(peer).range())) return undefined
  return isTrusted(peer, trustedProxies) ? undefined : peer
}

/**
 * Returns whether a program of this machine sent the request itself. A proxy on this machine is recognised by the
 * headers that proxies add.
 */
export function isFromThisMachine({ headers, socket }: ForwardedRequest): boolean {
  if ([...forwardingHeaders, 'via', 'x-forwarded-host', 'x-forwarded-proto'].some((name) => name in headers))
    return false
  const peer = canonicalAddress(socket.remoteAddress ?? '')
  return ipaddr.isValid(peer) && ipaddr.parse(peer).range() === 'loopback'
}

type ForwardedRequest = {
  headers: IncomingMessage['headers']
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/** Returns the address of a client behind trusted proxies, by the same rules as Fastify. */
export function addressOf(request: ForwardedRequest, trustedProxies: readonly string[]): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded, request.socket.remoteAddress ?? '']
    .filter((hop) => hop.trim() !== '')
    .map((hop) => canonicalAddress(hop.trim()))
  return hops.findLast((hop, place) => place === 0 || !isTrusted(hop, trustedProxies)) ?? 'unknown'
}

/** Returns the unit of network limits: an IPv4 address, or the /64 that an IPv6 customer gets. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
