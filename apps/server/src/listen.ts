import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartFault } from '#platform/start-fault.ts'

interface Listener {
  listen(options: { port: number; host: string }): Promise<string>
}

const loopback = ['127.0.0.1', '::1']

/** With these, the address that the server prints opens on both loopback addresses, or on the first that answers. */
const hostsWithLoopback = new Set(['localhost', '::', '0.0.0.0', ...loopback])

/** Listens, or throws a line for the operator. */
export async function listen(http: Listener, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    // Two programs can share a port on different loopback addresses. A browser would open the other one.
    if (hostsWithLoopback.has(host)) for (const address of loopback) await probe(address, port)
    await http.listen({ port, host })
  } catch (cause) {
    if (codeOf(cause) !== 'EAFNOSUPPORT' || host !== '::') throw faultOf(cause, host, port)
    await http.listen({ port, host: '0.0.0.0' }).catch((error: unknown) => {
      throw faultOf(error, host, port)
    })
  }
}

/** Rejects if another program listens on the address. A missing address, such as that of IPv6, is free. */
async function probe(address: string, port: number): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host: address, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw error
  } finally {
    if (server.listening) {
      server.close()
      await once(server, 'close')
    }
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

function faultOf(cause: unknown, host: string, port: number): unknown {
  const words: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use by another program. Stop it, or set PORT`,
    EACCES: `this user may not use port ${port}. Set PORT to a number above 1023`,
    EADDRNOTAVAIL: notOurs(host),
    EINVAL: notOurs(host),
    ENOTFOUND: notOurs(host),
    EAI_AGAIN: notOurs(host),
  }
  const code = codeOf(cause)
  const message = typeof code === 'string' ? words[code] : undefined
  return message === undefined ? cause : new StartFault(message, { cause })
}

const notOurs = (host: string) =>
  `The setting HOST is ${host}, which is no address of this machine. Remove it, or set one, for example HOST=:: for all addresses`
