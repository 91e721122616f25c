import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { createProxyServer } from 'http-proxy-3'

/** Milliseconds between two checks of a node, and the timeout of a check, which allows for a busy machine. */
const healthInterval = 250
const healthTimeout = 10_000

/** Starts a proxy that forwards requests to ready nodes in turn, like a load balancer in production. */
export async function startHealthProxy(nodes: readonly string[], port = 0) {
  const ready = new Set<string>()
  const stopping = new AbortController()
  let turn = 0
  const proxy = createProxyServer({ xfwd: true })
  proxy.on('error', (_error, _request, response) => {
    if ('writeHead' in response && !response.headersSent) unavailable(response)
    else response.end()
  })

  /** Returns the next ready node in turn. */
  function choose(): string | undefined {
    const available = nodes.filter((node) => ready.has(node))
    turn += 1
    return available[turn % available.length]
  }
  const server = createServer((request, response) => {
    const target = choose()
    if (target === undefined) unavailable(response)
    else proxy.web(request, response, { target })
  })
  server.on('upgrade', (request, socket, head) => {
    const target = choose()
    if (target === undefined) socket.destroy()
    else proxy.ws(request, socket, head, { target })
  })

  async function watch(node: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const isReady = await fetch(`${node}/api/health/ready`, {
        signal: AbortSignal.timeout(healthTimeout),
      }).then(
        (answer) => answer.ok,
        () => false,
      )
      if (isReady) ready.add(node)
      else ready.delete(node)
      await delay(healthInterval, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  for (const node of nodes) void watch(node)

  await new Promise<void>((listening) => server.listen(port, 'localhost', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://localhost:${address.port}`,
    readyNodes: () => ready.size,
    isReady: (node: string) => ready.has(node),
    async stop(): Promise<void> {
      stopping.abort()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function unavailable(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json' })
  response.end('{"code":"BUSY","message":"No node is ready"}')
}
