import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server until the end of the test. Returns its port. */
export async function portOf(server: Server, address = '127.0.0.1'): Promise<number> {
  server.listen(0, address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Returns a port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
