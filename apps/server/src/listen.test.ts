import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

/** Another program on one address; false if this machine does not have the address. */
async function otherProgram(host: string, port: number): Promise<boolean> {
  const server = createServer().listen({ host, port, ipv6Only: true })
  onTestFinished(() => void server.close())
  return once(server, 'listening').then(
    () => true,
    () => false,
  )
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
      const port = await freePort()
      if (!(await otherProgram(address, port))) return
      const http = listener()
      await expect(listen(http, { port, host })).rejects.toThrow(
        `port ${port} is in use by another program. Stop it, or set PORT`,
      )
      expect(http.calls).toEqual([])
    },
  )
}

test('a free port is used on the given address, and another loopback address is not asked', async () => {
  const port = await freePort()
  const http = listener()
  for (const host of ['localhost', '::', '192.0.2.1']) await listen(http, { port, host })
  if (await otherProgram('::1', port)) await listen(http, { port, host: '127.0.0.2' })
  expect(http.calls.slice(0, 3)).toEqual(['localhost', '::', '192.0.2.1'])
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
