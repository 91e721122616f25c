import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTls } from 'node:https'
import { createServer as createPlain } from 'node:net'
import { join } from 'node:path'
import { apiBase, edgeEnrolmentEndpoints } from '@pult/contract'
import { certificateFor } from '@pult/testkit'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { lastLines } from './agent-log.ts'
import { callFault } from './call-fault.ts'
import { diagnose } from './diagnostics.ts'
import { becomeEdge } from './enrol.ts'
import { callServer, socketOptions } from './server-call.ts'
import { startProxy } from './testing/connect-proxy.ts'
import { plainReport } from './testing/plain-report.ts'
import { portOf } from './testing/port-of.ts'
import { file, first, good, running } from './testing/releases.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { createUpdates } from './updates.ts'

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

beforeEach(() => {
  for (const name of [...variables, ...variables.map((each) => each.toLowerCase())]) vi.stubEnv(name, '')
  return () => vi.unstubAllEnvs()
})

const edge = {
  edge: '018f0000-0000-7000-8000-000000000000',
  label: 'Hall',
  token: 'a-token',
  releaseKey: first.key,
}

const { redeem, release, agent } = edgeEnrolmentEndpoints

/** Answers as the server does. */
const answer: RequestListener = ({ url = '', method }, response) => {
  if (method === redeem.method && url === apiBase + redeem.path)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(edge))
  if (url === apiBase + release.path) return response.end(JSON.stringify(good))
  if (url === apiBase + agent.path) return response.end(file)
  return response.writeHead(204).end()
}

/** Starts a server with a name that only the proxy knows, and with sockets that send `welcome`. */
async function serve() {
  const http = createServer(answer)
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (ws) => ws.send('welcome'))
  const port = await portOf(http)
  onTestFinished(() => {
    for (const ws of sockets.clients) ws.terminate()
    http.closeAllConnections()
  })
  return { port, server: `http://pult.invalid:${port}` }
}

const signal = () => AbortSignal.timeout(60_000)

const faultOf = (server: string, limit = signal()) =>
  callServer(`${server}/api/x`, { signal: limit }).then(
    ({ status }) => `status ${status}`,
    (error: unknown) => callFault(error, server),
  )

const socketFaultOf = async (server: string, handshakeTimeout = 60_000) => {
  const ws = new WebSocket(server.replace(/^http/, 'ws'), { handshakeTimeout, ...socketOptions(server) })
  const [error] = (await once(ws, 'error').catch((thrown: unknown) => [thrown])) as [unknown]
  return callFault(error, server)
}

test('slopus/happy#1360 the enrolment, the socket and an update of an agent pass the proxy of HTTP_PROXY', async () => {
  const { port, server } = await serve()
  const proxy = await startProxy({ login: 'ada:p@ss%' })
  vi.stubEnv('HTTP_PROXY', `http://ada:p%40ss%25@${proxy.host}`)
  const stateFolder = await temporaryFolder()
  expect(await becomeEdge({ server, code: 'ABCD', stateFolder })).toMatchObject({ token: 'a-token' })
  const ws = new WebSocket(server.replace('http', 'ws'), { handshakeTimeout: 300, ...socketOptions(server) })
  onTestFinished(() => ws.terminate())
  expect(String((await once(ws, 'message'))[0])).toBe('welcome')
  const sent: object[] = []
  const updates = createUpdates({
    server,
    stateFolder,
    running,
    isOnTrial: false,
    noteReached: () => {},
    callSupervisor: async (message) => void sent.push(message),
  })
  const asked = { onLine: () => {}, isAsked: true, signal: new AbortController().signal }
  expect(await updates.fetch(asked)).toBe('2.5.0')
  expect(proxy.targets).toEqual(Array.from({ length: 4 }, () => `pult.invalid:${port}`))
  // The time limit of the handshake has passed, and the socket stays open.
  await new Promise((resolve) => setTimeout(resolve, 400))
  ws.ping()
  await once(ws, 'pong')
})

/** The agent as a process. */
function start(environment: Record<string, string>, ...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nowhere', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { text: () => text }
}

test('websockets/ws#690 an agent reaches an encrypted server through a proxy, and logs no password', async () => {
  const { key, certificate } = certificateFor('pult.invalid')
  const https = createTls({ key, cert: certificate }, answer)
  const sockets = new WebSocketServer({ server: https })
  const received: string[] = []
  sockets.on('connection', (ws) => ws.on('message', (data) => received.push((data as Buffer).toString())))
  const port = await portOf(https)
  onTestFinished(() => https.closeAllConnections())
  const proxy = await startProxy({ login: 'ada:hunter2' })
  const folder = await temporaryFolder()
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, certificate)
  const server = `https://pult.invalid:${port}`
  const agentOf = (environment: Record<string, string>, state: string) =>
    start(environment, '--state', join(folder, state), '--server', server, '--code', 'ABCD')
  const through = { https_proxy: `http://ada:hunter2@${proxy.host}` }
  const trusting = agentOf({ ...through, NODE_EXTRA_CA_CERTS: authority }, 'one')
  await expect.poll(() => received.join('\n')).toContain('"type":"hello"')
  expect(JSON.parse(await readFile(join(folder, 'one', 'edge.json'), 'utf8'))).toMatchObject({ server })
  expect(new Set(proxy.targets)).toEqual(new Set([`pult.invalid:${port}`]))
  const strict = agentOf(through, 'two')
  await expect
    .poll(strict.text)
    .toContain(`certificate (DEPTH_ZERO_SELF_SIGNED_CERT), through the proxy ${proxy.url}); retrying`)
  const refused = agentOf({ https_proxy: `http://ada:hunter3@${proxy.host}` }, 'three')
  await expect
    .poll(refused.text)
    .toContain(`the proxy ${proxy.url} refuses the user name or the password in its address (status 407)`)
  for (const { text } of [trusting, strict, refused]) expect(text()).not.toContain('hunter')
})

test('an agent uses the new content of NODE_EXTRA_CA_CERTS for the next call and the next socket', async () => {
  const issued = (host: string) => {
    const issuer = { host, ...certificateFor(host, { isAuthority: true }) }
    const { key, certificate: cert } = certificateFor('127.0.0.1', { issuer })
    return { authority: issuer.certificate, served: { key, cert } }
  }
  const [former, later] = [issued('First authority'), issued('Second authority')]
  const https = createTls(former.served, answer)
  const sockets = new WebSocketServer({ server: https })
  let connections = 0
  sockets.on('connection', () => {
    connections += 1
  })
  const server = `https://127.0.0.1:${await portOf(https)}`
  onTestFinished(() => https.closeAllConnections())
  const folder = await temporaryFolder()
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, later.authority)
  const trusting = { NODE_EXTRA_CA_CERTS: authority }
  const args = ['--server', server, '--code', 'ABCD']
  const agentOf = (state: string, more = {}) =>
    start({ ...trusting, ...more }, '--state', join(folder, state), ...args)
  const [following, other] = [agentOf('one'), agentOf('two', { NODE_OPTIONS: '--use-openssl-ca' })]
  for (const { text } of [following, other]) await expect.poll(text).toContain('UNABLE_TO_VERIFY_LEAF')
  await writeFile(authority, former.authority)
  await expect.poll(following.text).toContain(`${authority} has changed, and its new content is used`)
  await expect.poll(() => connections).toBe(1)
  // The authorities of OpenSSL cannot be extended.
  await expect.poll(other.text).toContain(`Restart the agent: ${authority} has changed`)
  expect(other.text()).not.toContain('This machine is now')

  https.setSecureContext(later.served)
  for (const ws of sockets.clients) ws.terminate()
  await expect.poll(following.text).toMatch(/Not connected to .*UNABLE_TO_VERIFY_LEAF/)
  // A file that is being replaced counts only when it is complete.
  await writeFile(authority, '')
  await writeFile(authority, later.authority)
  await expect.poll(() => connections).toBe(2)
})

test.each([
  [
    'needs a user name',
    { login: 'ada:p' },
    /^the proxy NAME needs a user name and a password \(status 407\)\. Write /,
  ],
  [
    'refuses the host',
    { refusal: 'HTTP/1.1 403 Forbidden\r\n\r\n' },
    /^the proxy NAME does not connect to pult\.invalid:8443 \(status 403\)$/,
  ],
  [
    'does not find the host',
    { refusal: 'HTTP/1.0 502 Bad gateway\r\ncontent-length: 4\r\n\r\noops' },
    /^the proxy NAME does not connect to pult\.invalid:8443 \(status 502\)$/,
  ],
  [
    'does not speak HTTP',
    { refusal: '\u0005\u0000' },
    /^the proxy NAME cannot be used: it does not answer in HTTP/,
  ],
  [
    'answers with another protocol',
    { refusal: 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 400 Bad request\r\n\r\n' },
    /does not speak HTTPS.*through the proxy NAME$/,
  ],
])('slopus/happy#1360 a call and a socket name a proxy that %s', async (_name, answers, expected) => {
  const proxy = await startProxy(answers)
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  const pattern = new RegExp(expected.source.replaceAll('NAME', proxy.url))
  expect(await faultOf('https://pult.invalid:8443')).toMatch(pattern)
  expect(await socketFaultOf('https://pult.invalid:8443')).toMatch(pattern)
})

test('a call and a socket end when a proxy does not answer, and name it', async () => {
  const proxy = await startProxy({ refusal: '' })
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  const late = `the proxy ${proxy.url} cannot be used: ${proxy.host} did not answer in time`
  expect(await faultOf('https://pult.invalid:8443', AbortSignal.timeout(100))).toContain(late)
  expect(await socketFaultOf('https://pult.invalid:8443', 100)).toContain(late)
  // It connects, but the server is silent.
  const silent = await startProxy()
  vi.stubEnv('HTTPS_PROXY', silent.url)
  const server = `https://pult.invalid:${await portOf(createPlain())}`
  expect(await faultOf(server, AbortSignal.timeout(100))).toMatch(
    new RegExp(`did not answer in time.*, through the proxy ${silent.url}$`),
  )
  expect(await socketFaultOf(server, 100)).toContain('did not answer in time')
  vi.stubEnv('HTTP_PROXY', silent.url)
  const plain = server.replace('https', 'http')
  expect(await faultOf(plain, AbortSignal.timeout(100))).toContain('did not answer in time')
  expect(await socketFaultOf(plain, 100)).toBe('Opening handshake has timed out')
})

test('a socket that is ended while a proxy keeps it waiting closes', async () => {
  vi.stubEnv('HTTP_PROXY', (await startProxy({ refusal: '' })).url)
  const server = 'http://pult.invalid:80'
  const ws = new WebSocket(server.replace('http', 'ws'), { handshakeTimeout: 200, ...socketOptions(server) })
  ws.on('error', () => {})
  ws.terminate()
  await new Promise((resolve) => ws.on('close', resolve))
  // The way through the proxy ends later, without another error.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(ws.readyState).toBe(ws.CLOSED)
})

test('a proxy that is closed, has no usable address or no scheme is named without its password', async () => {
  const closed = createPlain()
  const port = await portOf(closed)
  closed.close()
  vi.stubEnv('HTTPS_PROXY', `http://ada:secret@127.0.0.1:${port}`)
  expect(await faultOf('https://pult.invalid')).toBe(
    `the proxy http://127.0.0.1:${port} cannot be used: nothing accepts connections at 127.0.0.1:${port}, or a firewall refuses them (ECONNREFUSED)`,
  )
  for (const address of [
    'socks5://ada:secret@127.0.0.1:1080',
    'http://ada:secret@',
    'http://h:99999',
    'a b',
  ]) {
    vi.stubEnv('HTTPS_PROXY', address)
    const fault =
      'the proxy of HTTPS_PROXY or ALL_PROXY has no usable address. Write http://HOST:PORT or https://HOST:PORT'
    expect(await faultOf('https://pult.invalid')).toBe(fault)
    expect(await socketFaultOf('https://pult.invalid')).toBe(fault)
  }
  const proxy = await startProxy({ refusal: 'HTTP/1.1 403 Forbidden\r\n\r\n' })
  vi.stubEnv('HTTPS_PROXY', `ada:secret@${proxy.host}`)
  expect(await faultOf('https://pult.invalid')).toBe(
    `the proxy ${proxy.url} does not connect to pult.invalid:443 (status 403)`,
  )
})

test.each([
  ['HTTP_PROXY names one', 'HTTP_PROXY', undefined, true],
  ['http_proxy names one', 'http_proxy', undefined, true],
  ['ALL_PROXY names one', 'ALL_PROXY', undefined, true],
  ['HTTPS_PROXY names one for another scheme', 'HTTPS_PROXY', undefined, false],
  ['NO_PROXY is *', 'HTTP_PROXY', '*', false],
  ['NO_PROXY names the host', 'HTTP_PROXY', 'a.example, 127.0.0.1', false],
  ['NO_PROXY names the port', 'HTTP_PROXY', '127.0.0.1:PORT', false],
  ['NO_PROXY names another port', 'HTTP_PROXY', '127.0.0.1:1', true],
  ['NO_PROXY names a domain', 'HTTP_PROXY', '.0.0.1', false],
  ['NO_PROXY names a domain with *', 'HTTP_PROXY', '*.0.0.1:PORT', false],
  ['NO_PROXY names a part of the host', 'HTTP_PROXY', '0.0.1', true],
  ['NO_PROXY names localhost', 'HTTP_PROXY', 'localhost', true],
])('an agent whose %s uses the proxy as documented', async (_name, variable, without, isUsed) => {
  const { port } = await serve()
  const proxy = await startProxy()
  vi.stubEnv(variable, proxy.url)
  if (without !== undefined) vi.stubEnv('no_proxy', without.replace('PORT', String(port)))
  const server = `http://127.0.0.1:${port}`
  expect(await faultOf(server)).toBe('status 204')
  expect('createConnection' in socketOptions(server)).toBe(isUsed)
  expect(proxy.targets).toEqual(isUsed ? [`127.0.0.1:${port}`] : [])
})

test.each([
  ['http://10.1.2.3:8080', '10.0.0.0/8', false],
  ['http://10.1.2.3', '192.168.0.0/16 10.0.0.0/8', false],
  ['http://11.1.2.3', '10.0.0.0/8', true],
  ['http://10.1.2.3', '10.0.0.0/33', true],
  ['http://[fd00::5]:8080', 'fd00::/8', false],
  ['http://[fd00::5]', 'FD00::5', false],
  ['http://[fe00::5]', 'fd00::/8', true],
  ['http://[fd00::5]', 'fd00::/129', true],
  ['http://pult.example.org', 'example.org', false],
  ['http://pult.example.org:8443', 'example.org:8443', false],
  ['http://pult.example.org', 'example.org:8443', true],
  ['http://pultexample.org', 'example.org', true],
  ['http://pult.example.org', '10.0.0.0/8,,', true],
])('calls to %s with NO_PROXY=%s use the proxy: %s', (server, without, isUsed) => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('NO_PROXY', without)
  expect('createConnection' in socketOptions(server)).toBe(isUsed)
})

test('an answer through a proxy has its status, headers and body, and a body that breaks off is an error', async () => {
  const proxy = await startProxy()
  vi.stubEnv('HTTP_PROXY', proxy.url)
  const http = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { location: '/login' }).end()
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      return setTimeout(() => response.destroy(), 20)
    }
    if (request.url === '/silent') return response.writeHead(200).write('begin')
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], date: 'Sat, 28 Nov 2026 15:00:00 GMT' })
    return request.pipe(response)
  })
  const server = `http://pult.invalid:${await portOf(http)}`
  onTestFinished(() => http.closeAllConnections())
  const call = (path: string, limit = signal()) => callServer(server + path, { signal: limit })
  const body = JSON.stringify({ text: 'Grüße' })
  const headers = { 'content-type': 'application/json' }
  const echoed = await callServer(`${server}/echo?a=1`, { method: 'POST', headers, body, signal: signal() })
  expect([echoed.status, echoed.headers.get('date'), echoed.headers.getSetCookie()]).toEqual([
    201,
    'Sat, 28 Nov 2026 15:00:00 GMT',
    ['a=1', 'b=2'],
  ])
  expect(await echoed.json()).toEqual({ text: 'Grüße' })
  const moved = await call('/moved')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/login'])
  const broken = await (await call('/cut')).text().catch((error: unknown) => callFault(error, server))
  expect(broken).toContain('was closed before the answer')
  const silent = await (await call('/silent', AbortSignal.timeout(200)))
    .text()
    .catch((error: unknown) => callFault(error, server))
  expect(silent).toContain('did not answer in time')
})

test('the diagnostics of an agent behind a proxy name it, and do not look up the server', async () => {
  const { server } = await serve()
  const proxy = await startProxy({ login: 'ada:hunter2' })
  vi.stubEnv('HTTP_PROXY', `http://ada:hunter2@${proxy.host}`)
  const lines: string[] = []
  await diagnose(
    { server, version: '2.4.0', releaseKey: undefined, report: plainReport, connections: 1 },
    (line) => lines.push(line),
  )
  expect(lines).toContain(`Calls to ${server} use the proxy ${proxy.url}`)
  expect(lines.join('\n')).not.toMatch(/cannot be resolved|hunter2/)
})

test('an enrolment behind a proxy that refuses it names the proxy, and continues when it connects', async () => {
  const { server } = await serve()
  const refusing = await startProxy({ refusal: 'HTTP/1.1 503 Unavailable\r\n\r\n' })
  vi.stubEnv('HTTP_PROXY', refusing.url)
  const enrolled = becomeEdge({ server, code: 'ABCD', stateFolder: await temporaryFolder() })
  await expect
    .poll(() => lastLines().join('\n'))
    .toContain(`${server} cannot be reached (the proxy ${refusing.url} does not connect to pult.invalid`)
  vi.stubEnv('HTTP_PROXY', (await startProxy()).url)
  expect(await enrolled).toMatchObject({ token: 'a-token' })
})
