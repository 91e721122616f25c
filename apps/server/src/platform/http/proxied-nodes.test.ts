import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { apiBase, noteEndpoints, projectEndpoints } from '@pult/contract'
import {
  callEndpoint,
  createTestDatabase,
  debianProgram,
  freePort,
  onFileEnd,
  sized,
  startNeighbour,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const clone = new URL('../../../../../', import.meta.url)
const program = new URL('apps/server/src/main.mjs', clone).pathname
const guide = await readFile(new URL('docs/operations/reverse-proxy.md', clone), 'utf8')
const nodesOfGuide = guide.slice(guide.indexOf('\n## Several nodes'))

const haproxy = await debianProgram('haproxy')
const nginx = await debianProgram('nginx')
const caddy = await debianProgram('caddy')

const folder = await mkdtemp(join(tmpdir(), 'pult-proxied-'))
onFileEnd(() => rm(folder, { recursive: true, force: true }))

const nodePorts = [await freePort(), await freePort()] as const
const nodes = nodePorts.map((port) => `127.0.0.1:${port}`)

/** Returns the first block of a language, with the addresses of the nodes of this test. */
function blockOf(language: string, text: string, written: readonly string[]): string {
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? ''
  return withNodes(block, written)
}

function withNodes(config: string, written: readonly string[]): string {
  return written.reduce((made, address, index) => {
    if (!made.includes(address)) throw new Error(`The configuration does not contain ${address}`)
    return made.replaceAll(address, nodes[index] ?? '')
  }, config)
}

const writtenNodes = ['10.0.0.11:8080', '10.0.0.12:8080']
const backend = blockOf('haproxy', nodesOfGuide, writtenNodes)
const [, stopDelay = ''] = /^STOP_DELAY=(\d+)$/m.exec(nodesOfGuide) ?? []

/** The proxies as documented, without TLS. */
const proxies = {
  haproxy: {
    program: haproxy,
    losesRefusedWrites: false,
    async configure(port: number) {
      const config = join(folder, 'haproxy.cfg')
      const [defaults = ''] = blockOf('haproxy', guide, []).split('frontend')
      await writeFile(
        config,
        `${defaults}\nfrontend public\n  bind 127.0.0.1:${port}\n  option forwardfor\n  default_backend pult\n${backend}`,
      )
      return ['-db', '-f', config]
    },
  },
  nginx: {
    program: nginx,
    losesRefusedWrites: false,
    async configure(port: number) {
      const prefix = join(folder, 'nginx')
      await mkdir(prefix)
      const changed = blockOf('nginx', nodesOfGuide, writtenNodes)
      const linesOf = (block: string) => /^ {4}location \/ \{\n([^]*?)^ {4}\}$/m.exec(block)?.[1] ?? ''
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      await writeFile(
        join(prefix, 'nginx.conf'),
        `daemon off; pid nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  ${/^upstream [^]*?^\}$/m.exec(changed)?.[0] ?? ''}
  server {
    listen 127.0.0.1:${port};
    location / {
${linesOf(changed)}
${linesOf(blockOf('nginx', guide, [])).replace(/^.*proxy_pass .*$/m, '')}
    }
  }
}`,
      )
      return ['-p', prefix, '-c', join(prefix, 'nginx.conf')]
    },
  },
  caddy: {
    program: caddy,
    // Debian's version closes the body of a refused call: caddyserver/caddy#7546.
    losesRefusedWrites: true,
    async configure(port: number) {
      const config = join(folder, 'Caddyfile')
      const written = await readFile(new URL('packaging/compose/Caddyfile', clone), 'utf8')
      const [site = ''] = written.split('{$FILES_HOST}')
      await writeFile(
        config,
        `{\n\tadmin off\n}\n${withNodes(site, ['pult-1:8080', 'pult-2:8080']).replace('{$PULT_HOST}', `http://127.0.0.1:${port}`)}`,
      )
      return ['run', '--config', config, '--adapter', 'caddyfile']
    },
  },
} as const

interface Call {
  kind: 'read' | 'write'
  from: number
  to: number
  /** `done`, or the status and code, or the error. */
  outcome: string
}

/** Reads a project and creates notes at a steady rate. */
function startCalls(url: string, { token, projectId }: { token: string; projectId: string }) {
  const calls: Call[] = []
  let written = 0
  const open = new Set<Promise<void>>()
  const params = { projectId }
  async function call(kind: Call['kind']): Promise<void> {
    const from = performance.now()
    const work =
      kind === 'read'
        ? callEndpoint(url, token, projectEndpoints.read, { params })
        : callEndpoint(url, token, noteEndpoints.create, {
            params,
            body: { label: `${url} ${(written += 1)}`, text: '' },
          })
    const outcome = await work.then(
      ({ status, code }) => (status < 400 ? 'done' : `${status} ${code ?? 'of the proxy'}`),
      (error: unknown) => String(error),
    )
    calls.push({ kind, from, to: performance.now(), outcome })
  }
  const start = (kind: Call['kind']) => {
    const one = call(kind)
    open.add(one)
    void one.finally(() => open.delete(one))
  }
  const timers = Object.entries({ read: sized(10, 30), write: sized(3, 5) } as const).map(([kind, rate]) =>
    setInterval(() => start(kind as Call['kind']), 1000 / rate),
  )
  return {
    calls,
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(open)
    },
  }
}

/** A busy machine makes the database slow, which no proxy can change. */
const isOfDatabase = ({ outcome }: Call) => /^503 (?:QUERY_TIMEOUT|DATABASE_UNAVAILABLE)$/.test(outcome)

const isFailed = (call: Call) => call.outcome !== 'done' && !isOfDatabase(call)

const statusOf = (url: string) =>
  fetch(`${url}${apiBase}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  )

/** Returns functions that start and stop the nodes, as processes. */
async function openNodes(publicUrl: string) {
  const testDatabase = await createTestDatabase()
  const { host, port, user, database } = testDatabase.connection
  const secret = randomBytes(32).toString('base64')
  const origin = await testServer({ besides: { testDatabase, secret, dataFolder: folder } })
  const ada = await origin.given.person()
  const { projectId } = await origin.given.project(ada)

  const query = new URLSearchParams({ host, port: String(port), user })
  const children: ChildProcess[] = []
  async function start(index: number): Promise<void> {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: String(nodePorts[index]),
        HOST: '127.0.0.1',
        PULT_URL: publicUrl,
        PULT_DATA: join(folder, `node-${index}`),
        FILES_FOLDER: join(folder, 'files'),
        PULT_SECRET: secret,
        DATABASE_URL: `postgresql:///${database}?${query.toString()}`,
        TRUSTED_PROXIES: '127.0.0.1',
        STOP_DELAY: stopDelay,
        LOG_LEVEL: 'warn',
      },
      stdio: 'ignore',
    })
    children[index] = child
    await expect.poll(() => statusOf(`http://${nodes[index]}`), { timeout: 60_000 }).toBe(200)
  }
  async function end(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = children[index]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  onFileEnd(async () => {
    await Promise.all(children.map((_, index) => end(index, 'SIGKILL')))
    await origin.stop()
    await testDatabase.drop()
  })
  /** Returns the labels of notes that exist more than once. */
  const repeated = async () => {
    const rows = await origin.db
      .selectFrom('note')
      .select('label')
      .groupBy('label')
      .having(sql`count(*)`, '>', 1)
      .execute()
    return rows.map(({ label }) => label)
  }
  return { start, end, repeated, caller: { token: ada.token, projectId } }
}

const found = Object.entries(proxies).flatMap(([name, { program: installed, ...more }]) =>
  installed === null ? [] : [{ name, installed, ...more }],
)

test.skipIf(found.length === 0)(
  'a rolling replacement behind the documented proxies fails no read, and no write that a proxy can repeat, and no write is executed twice',
  { tags: ['long'], timeout: 300_000 },
  async () => {
    const fronts = await Promise.all(found.map(async (proxy) => ({ ...proxy, port: await freePort() })))
    const { start, end, repeated, caller } = await openNodes(`http://127.0.0.1:${fronts[0]?.port}`)
    // The first one migrates.
    for (const index of nodes.keys()) await start(index)
    for (const { installed, configure, port } of fronts)
      await startNeighbour(installed, await configure(port), {
        isReady: async () => (await statusOf(`http://127.0.0.1:${port}`)) === 200,
      })
    const loads = fronts.map(({ port }) => startCalls(`http://127.0.0.1:${port}`, caller))
    await delay(2000)

    for (const index of nodes.keys()) {
      await end(index, 'SIGTERM')
      await start(index)
    }
    // Until every proxy sends calls to both nodes again.
    await delay(6000)
    const killedAt = performance.now()
    await end(0, 'SIGKILL')
    // Until then the kernel accepts connections for the dying process.
    const goneAt = performance.now()
    await delay(6000)
    await start(0)
    await delay(2000)
    await Promise.all(loads.map((load) => load.stop()))

    expect(await repeated()).toEqual([])
    for (const [place, { calls }] of loads.entries()) {
      const name = fronts[place]?.name ?? ''
      const failed = calls.filter(isFailed)
      const slowest = Math.max(...calls.map(({ from, to }) => to - from))
      process.stdout.write(
        `${name}: ${failed.length} of ${calls.length} calls failed, slowest ${Math.round(slowest)} ms\n`,
      )
      const { losesRefusedWrites = false } = fronts[place] ?? {}
      const isLostToKill = ({ kind, from, to }: Call) =>
        kind === 'write' && to > killedAt && (losesRefusedWrites || from < goneAt)
      const lost = failed.filter((call) => !isLostToKill(call))
      expect(calls.length, name).toBeGreaterThan(100)
      expect(lost, name).toEqual([])
    }
  },
)

test('a stopping node answers calls for longer than the documented HAProxy needs to notice it', () => {
  const seconds = (form: RegExp) => Number(form.exec(backend)?.[1])
  const checks = [...backend.matchAll(/^ +server \S+ \S+ check (.*)$/gm)].map(([, options]) => options)
  expect(new Set(checks).size).toBe(1)
  expect(checks).toHaveLength(2)
  const longest = seconds(/inter (\d+)s/) * seconds(/fall (\d+)/) + seconds(/timeout check (\d+)s/)
  expect(Number(stopDelay)).toBeGreaterThan(longest)
  // Otherwise a stopping node could count as down before the replaced one counts as up.
  expect(seconds(/rise (\d+)/)).toBeLessThan(seconds(/fall (\d+)/))
})
