import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.process>
type Protocol = 'http:' | 'https:'

const forbidden = new Set(['linkLocal', 'unspecified', 'multicast', 'broadcast'])

/** Services with credentials of the machine, outside of the link-local ranges. */
const metadata = new Set([
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure
  'fd00:ec2::254', // AWS, instances
  'fd00:ec2::23', // AWS, containers
  'fd20:ce::254', // Google Cloud
])

/**
 * Returns whether the server may connect to an address: never to a link-local one or to the metadata service of a
 * cloud, and without TLS only to this machine, unless root allows http.
 */
function isAllowed(text: string, protocol: Protocol, allowsHttp: boolean): boolean {
  const address = ipaddr.process(text.split('%')[0] ?? '')
  const translated = translatedFrom(address)
  if (isForbidden(address) || (translated !== undefined && isForbidden(translated))) return false
  return protocol === 'https:' || allowsHttp || address.range() === 'loopback'
}

const isForbidden = (address: Address) => forbidden.has(address.range()) || metadata.has(address.toString())

/** Returns the IPv4 address to which a gateway of the network translates an IPv6 address (NAT64, SIIT, 6to4). */
function translatedFrom(address: Address): Address | undefined {
  const range = address.range()
  const bytes = address.toByteArray()
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  if (range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12))
  return undefined
}

/** Checks a URL without resolving its name. `lookupAllowed` checks the addresses of a name on connect. */
export function isAllowedUrl({ protocol, hostname }: URL, allowsHttp: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isAllowed(host, protocol as Protocol, allowsHttp)
  return protocol === 'https:' || allowsHttp || /^(?:.+\.)?localhost$/.test(host)
}

/** Returns all addresses of a name, like `lookup` of Node. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Resolves a name to addresses that the server may connect to. Fails if the name has none. */
export const lookupAllowed =
  (protocol: Protocol, allowsHttp: boolean, resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const addresses = found.filter(({ address }) => isAllowed(address, protocol, allowsHttp))
      const [first] = addresses
      if (first === undefined) return callback(new Error('No allowed address has this name'), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
