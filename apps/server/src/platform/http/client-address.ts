import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns the canonical form: IPv4-mapped IPv6 as IPv4, IPv6 compressed, no zone. Undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.split('%')[0] ?? ''
  // Stricter than ipaddr.js, which reads the text 7 as 0.0.0.7.
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString()
}

/**
 * Returns the address of a hop in X-Forwarded-For. Some proxies append a port, and therefore brackets and quotes, as in
 * RFC 7239 section 6: `203.0.113.7:51234`, `"[2001:db8::1]:51234"`.
 */
function addressOfHop(hop: string): string | undefined {
  const bare = hop.replace(/^"(.*)"$/, '$1').trim()
  const { v6, v4 } = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\w*)?$/.exec(bare)?.groups ?? {}
  return canonicalAddress(v6 ?? v4 ?? bare)
}

function isTrusted(address: string, trustedProxies: readonly string[]): boolean {
  const parsed = ipaddr.parse(address)
  return trustedProxies.some((proxy) => {
    const [network, bits] = rangeOf(proxy)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

/** Returns the range of an entry of TRUSTED_PROXIES: an address without its zone, or a range. */
function rangeOf(proxy: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [text = '', size] = proxy.split('/')
  const network = ipaddr.parse(text.split('%')[0] ?? '')
  const bits = size === undefined ? (network.kind() === 'ipv4' ? 32 : 128) : Number(size)
  // IPv4 clients have IPv4 addresses here, although a socket may map them to IPv6.
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96)
    return [network.toIPv4Address(), bits - 96]
  return [network, bits]
}

const otherHeaders = ['forwarded', 'x-real-ip']
const forwardingHeaders = ['x-forwarded-for', ...otherHeaders]
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
  if (peer === undefined || !internal.has(ipaddr.parse(peer).range())) return undefined
  return isTrusted(peer, trustedProxies) ? undefined : peer
}

/** A tunnel to this machine, or a foreign page whose host name leads here, names another host. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Returns whether a URL leads every machine to itself. */
export const isLoopbackUrl = (url: string): boolean => ownHost.test(new URL(url).host)

/**
 * Returns whether a program of this machine may have sent the request itself. A proxy on this machine is recognised by
 * the headers that proxies add, or by the host that its clients have named. A proxy that does neither looks like a
 * program, so this proves nothing where a proxy is in front of the server.
 */
export function isFromThisMachine({ headers, socket }: ForwardedRequest): boolean {
  if (!ownHost.test(headers.host ?? '')) return false
  if ([...forwardingHeaders, 'via', 'x-forwarded-host', 'x-forwarded-proto'].some((name) => name in headers))
    return false
  const peer = canonicalAddress(socket.remoteAddress ?? '')
  return peer !== undefined && ipaddr.parse(peer).range() === 'loopback'
}

type ForwardedRequest = {
  headers: IncomingMessage['headers']
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/** A hop that no address can be read from, and the trusted proxy that sent it. */
export interface UnreadableHop {
  hop: string
  proxy: string
}

/**
 * Returns the address of a client: the right-most hop of X-Forwarded-For that is not a trusted proxy. Node joins
 * repeated headers. Without a readable hop, the address is that of the proxy. The header Forwarded is ignored: a proxy
 * that does not write it passes on what the client has written.
 */
export function addressOf(
  request: ForwardedRequest,
  trustedProxies: readonly string[],
  onUnreadable: (unreadable: UnreadableHop) => void = () => {},
): string {
  const peer = canonicalAddress(request.socket.remoteAddress ?? '')
  // Only of a closed connection.
  if (peer === undefined) return 'unknown'
  const { headers } = request
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  const other = hops.length > 0 ? undefined : otherHeaders.find((name) => headers[name] !== undefined)
  if (other !== undefined && isTrusted(peer, trustedProxies))
    onUnreadable({ hop: `${other}: ${String(headers[other])}`, proxy: peer })
  let address = peer
  while (hops.length > 0 && isTrusted(address, trustedProxies)) {
    const hop = hops.pop() ?? ''
    const next = addressOfHop(hop)
    if (next === undefined) {
      onUnreadable({ hop, proxy: address })
      break
    }
    address = next
  }
  return address
}

const rangeAround = (address: string, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`

/** Returns the unit of network limits: an IPv4 address, or the /64 that an IPv6 customer gets. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : rangeAround(parsed.toString(), 64)
}

/** Returns the /48 around a /64: many customers get one, with 65,536 networks. Undefined for other networks. */
export function siteOf(network: string): string | undefined {
  const address = /^([\da-f:]+)\/64$/.exec(network)?.[1]
  return address === undefined ? undefined : rangeAround(address, 48)
}
