import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

/** Returns a port of another program on one address; null if this machine does not have the address. */
async function otherProgram(host: string): Promise<number | null> {
  for (;;) {
    const port = await freePort()
    const server = createServer().listen({ host, port, ipv6Only: true })
    onTestFinished(() => void server.close())
    const fault = await once(server, 'listening').then(
      () => undefined,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    if (fault === undefined) return port
    if (fault !== 'EADDRINUSE') return null
  }
}

/** Counts the calls, because no server must have started. */
function listener() {
  const calls: string[] = []
  return { calls, listen: async ({ host }: { host: string }) => `${calls.push(host)}` }
}

for (const address of ['127.0.0.1', '::1']) {
  test.each(['localhost', '::', '0.0.0.0', '127.0.0.1', '::1'])(
    `a port that another program uses on ${address} is refused for HOST=%s`,
    async (host) => {
      const port = await otherProgram(address)
      if (port === null) return
      const http = listener()
      await expect(listen(http, { port, host })).rejects.toThrow(
        `port ${port} is in use by another program. Stop it, or set PORT`,
      )
      expect(http.calls).toEqual([])
    },
  )
}

test('a free port is used on the given address, and another loopback address is not asked', async () => {
  const hosts = ['localhost', '::', '192.0.2.1']
  const calls = async () => {
    const [port, http] = [await freePort(), listener()]
    for (const host of hosts) await listen(http, { port, host })
    return http.calls
  }
  // Another program may take the port before it is used.
  await expect.poll(() => calls().catch(String)).toEqual(hosts)
  const port = await otherProgram('::1')
  const http = listener()
  if (port !== null) await listen(http, { port, host: '127.0.0.2' })
  expect(http.calls).toEqual(port === null ? [] : ['127.0.0.2'])
})

test.each(['192.0.2.1', 'host.invalid'])(
  'HOST=%s, which no address of this machine is, is named',
  async (host) => {
    const port = await freePort()
    const http = {
      async listen(options: { port: number; host: string }) {
        const server = createServer().listen(options)
        onTestFinished(() => void server.close())
        await once(server, 'listening')
        return ''
      },
    }
    await expect(listen(http, { port, host })).rejects.toThrow(
      `The setting HOST is ${host}, which is no address of this machine. Remove it, or set one, for example HOST=::`,
    )
  },
)

test('a server on all addresses of a machine without IPv6 listens on those of IPv4', async () => {
  const hosts: string[] = []
  const listening = async ({ host }: { host: string }) => {
    hosts.push(host)
    if (host === '::') throw Object.assign(new Error('no IPv6'), { code: 'EAFNOSUPPORT' })
    return ''
  }
  await listen({ listen: listening }, { port: await freePort(), host: '::' })
  expect(hosts).toEqual(['::', '0.0.0.0'])
})

test('a port that this user may not use is named with the remedy', async () => {
  const refused = Object.assign(new Error('no'), { code: 'EACCES' })
  const http = { listen: async () => Promise.reject(refused) }
  await expect(listen(http, { port: 80, host: '192.0.2.1' })).rejects.toThrow(
    'this user may not use port 80. Set PORT to a number above 1023',
  )
})
