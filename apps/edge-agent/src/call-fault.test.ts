import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createPlain } from 'node:net'
import { certificateFor } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { lastLines } from './agent-log.ts'
import { callFault } from './call-fault.ts'
import { becomeEdge } from './enrol.ts'
import { closedPort, portOf } from './testing/port-of.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const serveTls = (certified: { key: string; certificate: string }) =>
  portOf(createHttps({ key: certified.key, cert: certified.certificate }, (_, response) => response.end()))

const serveHttp = () => portOf(createHttp((_, response) => response.end()))

/** Returns why a call and a socket fail. Both must give the same reason. */
async function faultsOf(server: string): Promise<string[]> {
  const called = await fetch(`${server}/api/health`).then(
    () => 'no fault',
    (error: unknown) => callFault(error, server),
  )
  const socket = new WebSocket(server.replace(/^http/, 'ws'))
  const [error] = (await once(socket, 'error').catch((thrown: unknown) => [thrown])) as [unknown]
  return [called, callFault(error, server)]
}

const year = new Date().getUTCFullYear()
const authority = { host: 'An authority', ...certificateFor('An authority', { isAuthority: true }) }

test.each([
  [
    'a self-signed certificate',
    certificateFor('127.0.0.1'),
    'its certificate is self-signed. If the network asks for a sign-in or inspects connections, allow this server there. Only if the certificate is yours, set NODE_EXTRA_CA_CERTS to a PEM file with this certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [
    'a private authority',
    certificateFor('127.0.0.1', { issuer: authority }),
    'If the network asks for a sign-in or inspects connections, allow this server there. Only if the authority is yours, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
])(
  'FlowFuse/device-agent#337 a server with %s is named with the remedy',
  async (_name, certified, reason) => {
    for (const fault of await faultsOf(`https://127.0.0.1:${await serveTls(certified)}`))
      expect(fault).toContain(reason)
  },
)

test('FlowFuse/device-agent#337 a server whose chain ends with an unknown authority is named with the remedy', async () => {
  const certified = certificateFor('127.0.0.1', { issuer: authority })
  const chain = { ...certified, certificate: certified.certificate + authority.certificate }
  for (const fault of await faultsOf(`https://127.0.0.1:${await serveTls(chain)}`))
    expect(fault).toMatch(
      /^its certificate is signed by an authority that this machine does not know, .*NODE_EXTRA_CA_CERTS.*\(SELF_SIGNED_CERT_IN_CHAIN\)$/,
    )
})

test.each([
  [
    'has expired',
    [year - 3, year - 1],
    /^its certificate has expired; the clock of this machine shows \d{4}-.*Z \(CERT_HAS_EXPIRED\)$/,
  ],
  [
    'is not valid yet',
    [year + 1, year + 3],
    /^its certificate is not valid yet; the clock of this machine shows \d{4}-.*Z \(CERT_NOT_YET_VALID\)$/,
  ],
] as const)('a certificate that %s is named with the clock of the machine', async (_name, years, reason) => {
  const certified = certificateFor('127.0.0.1', { years })
  const server = `https://127.0.0.1:${await serveTls(certified)}`
  const { Agent, get } = await import('node:https')
  const agent = new Agent({ ca: certified.certificate })
  const [error] = (await once(get(server, { agent }), 'error').catch((thrown: unknown) => [thrown])) as [
    unknown,
  ]
  expect(callFault(error, server)).toMatch(reason)
})

test('a certificate for another host is named with its hosts', async () => {
  const certified = certificateFor('pult.example.org')
  const server = `https://127.0.0.1:${await serveTls(certified)}`
  const { Agent, get } = await import('node:https')
  const agent = new Agent({ ca: certified.certificate })
  const [error] = (await once(get(server, { agent }), 'error').catch((thrown: unknown) => [thrown])) as [
    unknown,
  ]
  expect(callFault(error, server)).toBe(
    'its certificate is not for 127.0.0.1 but for DNS:pult.example.org (ERR_TLS_CERT_ALTNAME_INVALID)',
  )
})

test('FlowFuse/device-agent#337 an unknown host and a closed port have different reasons', async () => {
  for (const fault of await faultsOf('https://no-such-host.invalid:8443'))
    expect(fault).toMatch(
      /^(?:the name no-such-host\.invalid is not known\. .* \(ENOTFOUND\)|the name server of this machine does not answer for no-such-host\.invalid \(EAI_AGAIN\))$/,
    )
  const port = await closedPort()
  for (const host of ['127.0.0.1', 'localhost'])
    for (const fault of await faultsOf(`http://${host}:${port}`))
      expect(fault).toBe(
        `nothing accepts connections at ${host}:${port}, or a firewall refuses them (ECONNREFUSED)`,
      )
  const [fault] = await faultsOf(`http://[::1]:${port}`)
  expect(fault).toMatch(/at \[::1\]:\d+, or a firewall|no route leads from this machine to ::1/)
})

test('HTTP and HTTPS at the port of the other one are named with the remedy', async () => {
  const secure = `127.0.0.1:${await serveHttp()}`
  for (const fault of await faultsOf(`https://${secure}`))
    expect(fault).toMatch(`${secure} does not speak HTTPS. Write http://, or the port that serves HTTPS`)
  const plain = `http://127.0.0.1:${await serveTls(certificateFor('127.0.0.1'))}`
  for (const fault of await faultsOf(plain))
    expect(fault).toContain('uses HTTPS at this port, write https://')
})

test('a server that hangs up, or never answers, is named', async () => {
  const hangsUp = await portOf(createPlain((socket) => socket.destroy()))
  for (const fault of await faultsOf(`https://127.0.0.1:${hangsUp}`))
    expect(fault).toContain(`the connection to 127.0.0.1:${hangsUp} was closed before the answer`)
  const silent = `http://127.0.0.1:${await portOf(createPlain())}`
  const error = await fetch(silent, { signal: AbortSignal.timeout(50) }).catch((thrown: unknown) => thrown)
  expect(callFault(error, silent)).toContain('did not answer in time')
})

test('a port that Node reserves for other services is named with the remedy', async () => {
  const server = 'http://127.0.0.1:6000'
  const error = await fetch(server).catch((thrown: unknown) => thrown)
  expect(callFault(error, server)).toBe(
    'Node does not call 127.0.0.1:6000, a port that is reserved for other services. Choose another port',
  )
})

test('an error without a known cause keeps its own text', () => {
  const server = 'https://pult.example.org'
  expect(callFault(new TypeError('fetch failed'), server)).toBe('fetch failed')
  expect(callFault(new TypeError('fetch failed', { cause: new Error('bad thing\nmore') }), server)).toBe(
    'bad thing',
  )
  expect(callFault(Object.assign(new Error('strange'), { code: 'EWHAT' }), server)).toBe('strange (EWHAT)')
  expect(callFault('text', server)).toBe('text')
})

test('FlowFuse/device-agent#337 an enrolment names the cause and continues when the server answers', async () => {
  const port = await closedPort()
  const stateFolder = await temporaryFolder()
  const server = `http://127.0.0.1:${port}`
  const enrolled = becomeEdge({ server, code: 'ABCD', stateFolder })
  const line = `${server} cannot be reached (nothing accepts connections at 127.0.0.1:${port}, or a firewall refuses them (ECONNREFUSED)); retrying`
  await expect.poll(() => lastLines().join('\n')).toContain(line)
  const edge = { edge: '018f0000-0000-7000-8000-000000000000', label: 'Hall', token: 'a-token' }
  let answers = 0
  const late = createHttp((_, response) => {
    answers += 1
    // A limit of attempts passes as well.
    response.writeHead(answers === 1 ? 429 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers === 1 ? { code: 'TOO_MANY_ATTEMPTS', message: 'Later' } : edge))
  })
  late.listen(port, '127.0.0.1')
  onTestFinished(() => void late.close())
  expect(await enrolled).toMatchObject({ token: 'a-token' })
})
