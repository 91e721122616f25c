import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const internal = new Set(['loopback', 'private', 'uniqueLocal'])
const forbidden = new Set(['linkLocal', 'unspecified', 'multicast', 'broadcast'])

type Protocol = 'http:' | 'https:'

/**
 * Returns whether the server may connect to an address: never to a link-local one, where clouds serve credentials, and
 * without TLS only to this machine or a private network.
 */
function isAllowed(address: string, protocol: Protocol): boolean {
  const range = ipaddr.process(address.split('%')[0] ?? '').range()
  return !forbidden.has(range) && (protocol === 'https:' || internal.has(range))
}

/** Checks a URL without resolving its name. `lookupAllowed` checks the addresses of a name on connect. */
export function isAllowedUrl({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isAllowed(host, protocol as Protocol)
}

/** Resolves a name to addresses that the server may connect to. Fails if the name has none. */
export const lookupAllowed =
  (protocol: Protocol): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const addresses = found.filter(({ address }) => isAllowed(address, protocol))
      const [first] = addresses
      if (first === undefined) return callback(new Error('No allowed address has this name'), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
