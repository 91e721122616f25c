import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import { callFault } from './call-fault.ts'
import { hostOf } from './server-address.ts'

/** The way to a server through the proxy of the environment. */
export interface Proxy {
  /** Its address without the user name and the password. */
  name: string
  /**
   * Opens a connection to the server, as it would be without the proxy.
   *
   * @throws {Error} with the reason in words, which names the proxy.
   */
  open: (signal: AbortSignal) => Promise<Socket>
  /** Returns an error of this connection, in words that name the proxy. */
  faultOf: (error: unknown) => Error
}

/**
 * Returns the proxy for a server: `HTTPS_PROXY` or `HTTP_PROXY`, or else `ALL_PROXY`, unless `NO_PROXY` names the
 * server. Undefined without one.
 */
export function proxyFor(server: string): Proxy | undefined {
  const address = getProxyForUrl(server)
  if (address === '' || isExcepted(server)) return undefined
  const url = addressOf(address)
  if (url === undefined) return invalid(server)
  const name = url.origin
  const faultOf = (error: unknown) => new Error(`${callFault(error, server)}, through the proxy ${name}`)
  return {
    name,
    faultOf,
    async open(signal) {
      const socket = await openTunnel(url, server, signal)
      if (!server.startsWith('https:')) return socket
      return encrypted(socket, server, signal).catch((error: unknown) => {
        throw faultOf(error)
      })
    },
  }
}

/**
 * Whether `NO_PROXY` names a server in a way that other programs understand and the library does not: with a range, an
 * IPv6 address without brackets, or a domain without a dot before it.
 */
function isExcepted(server: string): boolean {
  const { host, port } = hostOf(server)
  const list = process.env['no_proxy'] || process.env['NO_PROXY'] || ''
  const entries = list.toLowerCase().split(/[,\s]+/)
  if (isIP(host) === 0) {
    const isBelow = (entry: string) => host.endsWith(`.${entry}`) || `${host}:${port}`.endsWith(`.${entry}`)
    return entries.some((entry) => entry !== '' && isBelow(entry))
  }
  const excepted = new BlockList()
  for (const entry of entries) {
    const [, address = '', length] = /^([\d.:a-f]+)(?:\/(\d+))?$/.exec(entry) ?? []
    if (isIP(address) === 0) continue
    const [kind, most] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    const bits = Number(length ?? most)
    if (bits <= most) excepted.addSubnet(address, bits, kind)
  }
  return excepted.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

/** Its calls fail, so that the agent waits for a user who corrects the variable. */
function invalid(server: string): Proxy {
  const variable = server.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const error = new Error(
    `the proxy of ${variable} or ALL_PROXY has no usable address. Write http://HOST:PORT or https://HOST:PORT`,
  )
  return { name: `of ${variable}`, open: () => Promise.reject(error), faultOf: () => error }
}

function addressOf(address: string): URL | undefined {
  // The library adds the scheme of the server to an address without one. As for other programs, it means HTTP.
  const isGiven = Object.values(process.env).includes(address)
  try {
    const url = new URL(isGiven ? address : address.replace(/^https:/, 'http:'))
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** Asks the proxy for a connection. Sockets need it, so that calls use it as well: one that works proves both. */
function openTunnel(proxy: URL, server: string, signal: AbortSignal): Promise<Socket> {
  const { host, port } = hostOf(server)
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const own = hostOf(proxy.origin)
  const login = loginOf(proxy)
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? requestHttps : requestHttp)({
      method: 'CONNECT',
      host: own.host,
      port: own.port,
      path: target,
      headers: { host: target, ...(login !== undefined && { 'proxy-authorization': login }) },
      // Otherwise Node would use a proxy for the proxy, if its own option is set.
      agent: false,
      signal,
    })
    request.on('error', (error) =>
      reject(new Error(`the proxy ${proxy.origin} cannot be used: ${callFault(error, proxy.origin)}`)),
    )
    request.on('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      // The next owner of the socket listens as well.
      socket.on('error', () => {})
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket)
      }
      socket.destroy()
      reject(new Error(`the proxy ${proxy.origin} ${refusalOf(statusCode, target, login !== undefined)}`))
    })
    request.end()
  })
}

function refusalOf(status: number, target: string, hasLogin: boolean): string {
  if (status !== 407) return `does not connect to ${target} (status ${status})`
  return hasLogin
    ? 'refuses the user name or the password in its address (status 407)'
    : 'needs a user name and a password (status 407). Write http://NAME:PASSWORD@HOST:PORT'
}

function loginOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`
}

/** A user may have written a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function encrypted(socket: Socket, server: string, signal: AbortSignal): Promise<Socket> {
  const { host } = hostOf(server)
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const secure = connectTls({ socket, host, ...servername, ALPNProtocols: ['http/1.1'] })
  // The next owner of the socket listens as well.
  secure.on('error', () => {})
  try {
    await once(secure, 'secureConnect', { signal })
    return secure
  } catch (error) {
    secure.destroy()
    throw error
  }
}
