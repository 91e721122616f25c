import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { apiBase } from '@pult/contract'
import {
  canaryPassword,
  debianProgram,
  freePort,
  onFileEnd,
  sized,
  startNeighbour,
  testServer,
} from '@pult/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { selfSigned } from '../database/testing/self-signed.ts'
import { openTestSocket } from '../realtime/test-socket.ts'
import { bareServer } from './testing/bare-server.ts'

const clone = new URL('../../../../../', import.meta.url)
const guide = await readFile(new URL('docs/operations/reverse-proxy.md', clone), 'utf8')

const nginx = await debianProgram('nginx')
const haproxy = await debianProgram('haproxy')
const caddy = await debianProgram('caddy')

const folder = await mkdtemp(join(tmpdir(), 'pult-proxy-'))
onFileEnd(() => rm(folder, { recursive: true, force: true }))
const { key, certificate } = selfSigned('localhost')
const files = { key: join(folder, 'pult.key'), crt: join(folder, 'pult.crt'), pem: join(folder, 'pult.pem') }
await writeFile(files.key, key)
await writeFile(files.crt, certificate)
await writeFile(files.pem, certificate + key)

const [plain, nginxPort, haproxyPort, caddyPort] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
]

/** The proxies connect from 127.0.0.1, and the clients of this test from another address. */
const clientAddress = '127.0.0.2'
const server = await testServer()
/** Of the node behind the proxies, which can restart. */
const nodeOptions = {
  besides: server,
  port: await freePort(),
  settings: {
    PULT_URL: `https://localhost:${nginxPort}`,
    DEV_ORIGINS: [haproxyPort, caddyPort, plain].map((port) => `https://localhost:${port}`).join(','),
    TRUSTED_PROXIES: '127.0.0.1',
  },
}
let running = await testServer(nodeOptions)
const node = `127.0.0.1:${nodeOptions.port}`

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends a request over TLS through the proxy at a port. */
async function send(port: number, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const answer = await new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          localAddress: clientAddress,
          servername: 'localhost',
          ca: certificate,
          headers: {
            host: `localhost:${port}`,
            ...headers,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
        },
        (message) => {
          text(message).then(
            (content) =>
              resolve({ status: message.statusCode ?? 0, headers: message.headers, text: content }),
            reject,
          )
        },
      )
      sent.on('error', reject).end(body)
    },
  )
  return { ...answer, json: () => JSON.parse(answer.text) as Record<string, never> }
}

const isUp = (port: number) => async () => (await send(port, `${apiBase}/health/live`)).status > 0

/** Returns the configuration on the page, with the addresses and files of this test. */
function documented(language: string, replacements: Record<string, string>): string {
  const snippet = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? ''
  return Object.entries({ '127.0.0.1:8080': node, ...replacements }).reduce((config, [written, here]) => {
    if (!config.includes(written))
      throw new Error(`The ${language} configuration does not contain ${written}`)
    return config.replaceAll(written, here)
  }, snippet)
}

/** Writes a configuration of nginx that runs as this user, in one process, in an own folder. */
async function nginxConfig(http: string): Promise<string[]> {
  const prefix = await mkdtemp(join(folder, 'nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(prefix, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  ${http}
}`,
  )
  return ['-p', prefix, '-c', join(prefix, 'nginx.conf')]
}

const tls = `ssl_certificate ${files.crt}; ssl_certificate_key ${files.key};`

type Found = NonNullable<typeof nginx>

/** Starts a proxy. Its own check of the configuration must succeed first. */
async function start(program: Found, port: number, { check, run }: { check: string[]; run: string[] }) {
  await promisify(execFile)(program.path, check, { env: program.env })
  await startNeighbour(program, run, { isReady: isUp(port) })
}

const documentedProxies = {
  async nginx(program: Found) {
    const args = await nginxConfig(
      documented('nginx', {
        'pult.example.org': 'localhost',
        'listen 80;': `listen 127.0.0.1:${plain};`,
        'listen 443 ssl;': `listen 127.0.0.1:${nginxPort} ssl;`,
        '/etc/ssl/pult.crt': files.crt,
        '/etc/ssl/pult.key': files.key,
      }),
    )
    await start(program, nginxPort, { check: ['-t', ...args], run: args })
  },
  async haproxy(program: Found) {
    const config = join(folder, 'haproxy.cfg')
    await writeFile(
      config,
      documented('haproxy', {
        'bind :80': `bind 127.0.0.1:${await freePort()}`,
        'bind :443': `bind 127.0.0.1:${haproxyPort}`,
        '/etc/haproxy/pult.pem': files.pem,
      }),
    )
    await start(program, haproxyPort, { check: ['-c', '-f', config], run: ['-db', '-f', config] })
  },
  async caddy(program: Found) {
    const config = join(folder, 'Caddyfile')
    const site = documented('caddy', {
      'pult.example.org {': `https://localhost:${caddyPort} {\n\ttls ${files.crt} ${files.key}`,
    })
    await writeFile(config, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
    const home = join(folder, 'caddy')
    await mkdir(home)
    const env = { ...program.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
    const args = ['--config', config, '--adapter', 'caddyfile']
    await start({ ...program, env }, caddyPort, { check: ['validate', ...args], run: ['run', ...args] })
  },
}

async function signIn(port: number, { email }: { email: string }, headers: Record<string, string> = {}) {
  const answer = await send(port, `${apiBase}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ type: 'credentials', data: { username: email, password: canaryPassword } }),
  })
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"redeem"')])
  const { token } = answer.json() as { token?: string }
  if (token === undefined) throw new Error(answer.text)
  running.watchSecret(token)
  const sessions = await send(port, `${apiBase}/me/account/sessions`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const [session] = (sessions.json() as { items?: { address: string }[] }).items ?? []
  return { token, address: session?.address }
}

const openSocket = (port: number, token: string) =>
  openTestSocket(`https://localhost:${port}`, { token, ca: certificate, origin: `https://localhost:${port}` })

/** Uploads a file of this size in one request. Returns the answer to it, and the sent text. */
async function uploadThrough(port: number, token: string, size: number) {
  const content = 'all work and no play '.repeat(size / 21)
  const created = await send(port, `${apiBase}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filename: 'a.txt', contentType: 'text/plain', size: content.length }),
  })
  const ticket = created.json() as unknown as { url: string; headers: Record<string, string> }
  running.watchSecret(ticket.url.slice(ticket.url.lastIndexOf('/') + 1))
  const { pathname } = new URL(ticket.url, server.url)
  return {
    content,
    put: await send(port, pathname, { method: 'PUT', headers: ticket.headers, body: content }),
  }
}

/** Returns the content of a file, through the link of a browser. */
async function downloadThrough(port: number, token: string, fileId: string) {
  const headers = { authorization: `Bearer ${token}` }
  const link = await send(port, `${apiBase}/files/${fileId}/link`, { method: 'POST', headers })
  const { pathname, search } = new URL((link.json() as { url?: string }).url ?? '', server.url)
  return send(port, pathname + search)
}

describe.each([
  ['nginx', nginx, nginxPort],
  ['haproxy', haproxy, haproxyPort],
  ['caddy', caddy, caddyPort],
] as const)('the documented configuration of %s', { tags: ['long'] }, (name, program, port) => {
  beforeAll(async () => {
    if (program !== null) await documentedProxies[name](program)
  })

  test.skipIf(program === null)(
    'RULE-08 passes the address of the client, 3.6 MB in one upload and in one download, and live connections',
    async () => {
      const ada = await server.given.person()
      const { token, address } = await signIn(port, ada, { 'x-forwarded-for': '203.0.113.66' })
      expect(address).toBe(clientAddress)

      const { content, put } = await uploadThrough(port, token, 3_600_009)
      expect([put.status, put.text]).toEqual([200, expect.any(String)])
      const download = await downloadThrough(port, token, put.json()['_id'] ?? '')
      expect([download.status, download.text === content]).toEqual([200, true])

      const socket = await openSocket(port, token)
      expect(socket.status).toBe(101)
      expect(socket.messages).toMatchObject([{ type: 'ready' }])
      socket.ws.close()
    },
  )

  test.skipIf(program === null || sized(true, false))(
    'answers with a gateway error while the server restarts, and passes calls and live connections again',
    async () => {
      const ada = await server.given.person()
      const { token } = await signIn(port, ada)
      const socket = await openSocket(port, token)
      const readyOf = async () => (await send(port, `${apiBase}/health/ready`)).status
      expect(await readyOf()).toBe(200)

      await running.stop()
      await socket.closed
      expect(await readyOf()).toBeOneOf([502, 503])
      expect((await openTestSocket(`https://localhost:${port}`, { ca: certificate })).status).toBeOneOf([
        502, 503,
      ])
      running = await testServer(nodeOptions)

      // HAProxy sends calls once its own checks have succeeded.
      await expect.poll(readyOf).toBe(200)
      expect((await send(port, '/', { method: 'OPTIONS' })).status).toBe(204)
      expect((await signIn(port, ada)).address).toBe(clientAddress)
      const again = await openSocket(port, token)
      expect(again.messages).toMatchObject([{ type: 'ready' }])
      again.ws.close()
    },
  )
})

test.skipIf(nginx === null)('the documented nginx redirects http to the same page over https', async () => {
  const answer = await fetch(`http://127.0.0.1:${plain}/me?tab=1`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://127.0.0.1/me?tab=1'])
})

test.skipIf(nginx === null)(
  'nginx with proxy_pass alone refuses large files and live connections, and passes calls',
  async () => {
    if (!nginx) return
    const port = await freePort()
    await startNeighbour(
      nginx,
      await nginxConfig(
        `server { listen 127.0.0.1:${port} ssl; ${tls} location / { proxy_pass http://${node}; } }`,
      ),
      { isReady: isUp(port) },
    )
    const ada = await server.given.person()
    const { token } = await signIn(port, ada)
    const large = await send(port, `${apiBase}/files`, { method: 'POST', body: Buffer.alloc(1_200_000) })
    expect([large.status, large.headers['content-type']]).toEqual([413, 'text/html'])
    const { content, put } = await uploadThrough(port, token, 900_900)
    const download = await downloadThrough(port, token, put.json()['_id'] ?? '')
    expect([put.status, download.status, download.text === content]).toEqual([200, 200, true])
    const socket = await openSocket(port, token)
    expect(socket.status).toBe(404)
    expect((await send(port, `${apiBase}/health/ready`)).status).toBe(200)
  },
)

test.skipIf(nginx === null)(
  'nginx with proxy_pass alone opens neither the metrics nor the health of the parts to its clients',
  async () => {
    if (!nginx) return
    const port = await freePort()
    const { config } = await testServer({ settings: { PULT_URL: 'https://pult.example.org' } })
    await startNeighbour(
      nginx,
      await nginxConfig(
        `server { listen 127.0.0.1:${port} ssl; ${tls} location / { proxy_pass http://127.0.0.1:${config.port}; } }`,
      ),
      { isReady: isUp(port) },
    )
    const statusOf = async (path: string) =>
      (await send(port, apiBase + path, { headers: { host: 'pult.example.org' } })).status
    expect(await Promise.all(['/metrics', '/health', '/health/ready', '/health/live'].map(statusOf))).toEqual(
      [401, 401, 200, 200],
    )
  },
)

test.skipIf(nginx === null)(
  'RULE-08 nginx that repeats X-Forwarded-For and appends the port passes the address of the client',
  async () => {
    if (!nginx) return
    const port = await freePort()
    const repeated = `proxy_set_header X-Forwarded-For "203.0.113.66, unknown";
      proxy_set_header X-Forwarded-For $remote_addr:$remote_port; proxy_set_header X-Forwarded-Proto https;
      proxy_set_header X-Forwarded-Proto https; add_header Cache-Control no-store; add_header Cache-Control private;`
    await startNeighbour(
      nginx,
      await nginxConfig(
        `server { listen 127.0.0.1:${port} ssl; ${tls} location / { proxy_pass http://${node}; ${repeated} } }`,
      ),
      { isReady: isUp(port) },
    )
    expect((await signIn(port, await server.given.person())).address).toBe(clientAddress)
  },
)

test.skipIf(nginx === null)(
  'nginx answers 502 while the server restarts, and its next call succeeds after the restart',
  async () => {
    if (!nginx) return
    const [port, behind] = [await freePort(), await freePort()]
    const restarted = async () => {
      const app = bareServer()
      await app.listen({ host: '127.0.0.1', port: behind })
      return app
    }
    const first = await restarted()
    await startNeighbour(
      nginx,
      await nginxConfig(
        `server { listen 127.0.0.1:${port} ssl; ${tls} location / { proxy_pass http://127.0.0.1:${behind}; } }`,
      ),
      { isReady: isUp(port) },
    )
    const statusOf = async () => (await send(port, '/', { method: 'OPTIONS' })).status
    expect(await statusOf()).toBe(204)
    await first.close()
    expect(await statusOf()).toBe(502)
    const second = await restarted()
    expect(await statusOf()).toBe(204)
    await second.close()
  },
)

test.skipIf(nginx === null)(
  'a live connection that a proxy cuts when it is idle is closed on both sides and opens again',
  async () => {
    if (!nginx) return
    const port = await freePort()
    const upgraded = `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade; proxy_read_timeout 5s;`
    await startNeighbour(
      nginx,
      await nginxConfig(
        `server { listen 127.0.0.1:${port} ssl; ${tls}
          location / { proxy_pass http://${node}; }
          location = /api/ws { proxy_pass http://${node}; ${upgraded} } }`,
      ),
      { isReady: isUp(port) },
    )
    const ada = await server.given.person()
    const openSockets = async () => {
      const metrics = await (await fetch(`${running.url}${apiBase}/metrics`)).text()
      return /^pult_sockets (\d+)/m.exec(metrics)?.[1]
    }
    for (let round = 0; round < 2; round += 1) {
      const socket = await openTestSocket(`https://localhost:${port}`, {
        token: ada.token,
        ca: certificate,
        origin: `https://localhost:${plain}`,
      })
      expect(socket.messages).toMatchObject([{ type: 'ready' }])
      expect((await socket.closed).code).toBe(1006)
      await expect.poll(openSockets).toBe('0')
    }
  },
)

test.skipIf(haproxy === null)(
  'the default health check of HAProxy, OPTIONS / with HTTP/1.0 and without Host, marks the server as up',
  async () => {
    if (!haproxy) return
    const port = await freePort()
    const config = join(folder, 'default-check.cfg')
    await writeFile(
      config,
      `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port} ssl crt ${files.pem}
  stats enable
  stats uri /stats
  default_backend pult
backend pult
  option httpchk
  server pult-1 ${node} check inter 100ms
`,
    )
    await startNeighbour(haproxy, ['-db', '-f', config], { isReady: isUp(port) })
    const checkOf = async () => {
      const lines = (await send(port, '/stats;csv')).text.split('\n').map((line) => line.split(','))
      const [names = []] = lines
      const found = lines.find(([, name]) => name === 'pult-1') ?? []
      return ['status', 'check_status', 'check_code'].map((name) => found[names.indexOf(name)])
    }
    await expect.poll(checkOf).toEqual(['UP', 'L7OK', '204'])
    expect((await send(port, `${apiBase}/health/ready`)).status).toBe(200)
  },
)

test.skipIf(caddy === null)('Caddy accepts the Caddyfile of the containers', async () => {
  if (!caddy) return
  const config = new URL('packaging/compose/Caddyfile', clone).pathname
  const env = { ...caddy.env, HOME: folder, PULT_HOST: 'pult.example.org', FILES_HOST: 'files.example.org' }
  const { stdout } = await promisify(execFile)(
    caddy.path,
    ['validate', '--config', config, '--adapter', 'caddyfile'],
    { env },
  )
  expect(stdout).toContain('Valid configuration')
})

test('the settings of the guide make the proxy trusted and its https address public', () => {
  const [, env = ''] = /^```env\n([^]*?)^```$/m.exec(guide) ?? []
  const settings = Object.fromEntries(
    [...env.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(readConfig(settings)).toMatchObject({
    publicUrl: 'https://pult.example.org',
    trustedProxies: ['127.0.0.1'],
  })
})

/** Returns the values of nested YAML maps with the paths of their keys. A list counts as its only item. */
function valuesIn(yaml: string): Record<string, string> {
  const path: string[] = []
  const values: Record<string, string> = {}
  for (const line of yaml.trimEnd().split('\n')) {
    const [, indent = '', name = '', value] = /^((?: {2})*)(?:- )?(\w+):(?: (\S.*))?$/.exec(line) ?? []
    const level = indent.length / 2
    if (name === '' || level > path.length) throw new Error(`This line is not at its place: ${line}`)
    path.splice(level, path.length, name)
    if (value !== undefined) values[path.join('.')] = value
  }
  return values
}

test('the documented Traefik lifts its limit of a request, checks readiness and passes all of the host', async () => {
  const [, first = '', second = ''] = /^```yaml\n([^]*?)^```$[^]*?^```yaml\n([^]*?)^```$/m.exec(guide) ?? []
  expect(valuesIn(first)).toEqual({
    'entryPoints.web.address': '":80"',
    'entryPoints.web.http.redirections.entryPoint.to': 'websecure',
    'entryPoints.websecure.address': '":443"',
    'entryPoints.websecure.transport.respondingTimeouts.readTimeout': '0',
  })
  const values = valuesIn(second)
  expect(values).toEqual({
    'http.routers.pult.rule': 'Host(`pult.example.org`)',
    'http.routers.pult.entryPoints': '[websecure]',
    'http.routers.pult.service': 'pult',
    'http.routers.pult.tls': '{}',
    'http.services.pult.loadBalancer.servers.url': 'http://127.0.0.1:8080',
    'http.services.pult.loadBalancer.healthCheck.path': `${apiBase}/health/ready`,
    'http.services.pult.loadBalancer.healthCheck.interval': '2s',
    'http.services.pult.loadBalancer.healthCheck.timeout': '2s',
  })
  const checked = await fetch(`${server.url}${values['http.services.pult.loadBalancer.healthCheck.path']}`)
  expect(checked.status).toBe(200)
})
