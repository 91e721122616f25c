import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'

interface Answers {
  /** The user name and the password that it demands, as `NAME:PASSWORD`. */
  login?: string
  /** What it answers instead of connecting. An empty answer keeps the caller waiting. */
  refusal?: string
}

/** Starts a proxy that reaches each host on this machine. Returns the hosts and ports that it was asked for. */
export async function startProxy({ login, refusal }: Answers = {}) {
  const targets: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((request, response) => {
    targets.push(`${request.method} ${request.url}`)
    response.writeHead(405).end()
  })
  server.on('connect', ({ url = '', headers }, client, head) => {
    targets.push(url)
    sockets.add(client)
    client.on('error', () => {})
    const demanded = login && `Basic ${Buffer.from(login).toString('base64')}`
    if (demanded !== undefined && headers['proxy-authorization'] !== demanded)
      return void client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
      )
    if (refusal !== undefined) return void (refusal !== '' && client.end(refusal))
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { targets, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}
