import { isIPv6 } from 'node:net'
import { exitCodes, Failure } from './exit-codes.ts'

const refuse = (reason: string): never => {
  throw new Failure(
    exitCodes.usage,
    `--server must be an address like https://pult.example.org: the given one ${reason}`,
  )
}

/** The address of a server, and what the user should know about it. */
export interface ServerAddress {
  /** Scheme, host and port: every endpoint is below `/api`. */
  origin: string
  hint: string | undefined
}

/** Reads the address that a user has given. @throws {Failure} usage, without a password that it contains. */
export function readServerAddress(text: string): ServerAddress {
  const given = text.trim()
  if (given === '') return refuse('is empty')
  if (/^wss?:\/\//i.test(given))
    return refuse('begins with ws, which is only for sockets. Write https:// or http://')
  if (!/^https?:/i.test(given)) {
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(given))
      return refuse('begins with another scheme than https:// or http://')
    return refuse('does not begin with https:// or http://')
  }
  if (/^https?:\/*\[[^\]]*%/i.test(given))
    return refuse('contains an IPv6 address with a zone. Write a name, or an address without %')
  let url: URL
  try {
    url = new URL(given)
  } catch {
    return refuse('has an invalid host or port')
  }
  if (url.username !== '' || url.password !== '')
    return refuse('contains a user name or a password. Write it without them')
  const hints: string[] = []
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    hints.push(`Only ${url.origin} of --server is used, without the path behind it.`)
  if (url.protocol === 'http:' && !isLocal(hostOf(url.origin).host))
    hints.push(`The connection to ${url.origin} is not encrypted. Use https:// outside a trusted network.`)
  return { origin: url.origin, hint: hints.length === 0 ? undefined : hints.join(' ') }
}

/** Returns the name or address of a server without brackets, and its port. */
export function hostOf(server: string): { host: string; port: string } {
  const { hostname, port, protocol } = new URL(server)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port: port || (protocol === 'https:' ? '443' : '80') }
}

/** Returns a host and its port as text. */
export function placeOf(server: string): string {
  const { host, port } = hostOf(server)
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

const isLocal = (host: string) => /^(?:localhost\.?|.*\.localhost\.?|127(?:\.\d+){3}|::1)$/.test(host)
