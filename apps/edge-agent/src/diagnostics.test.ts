import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { apiBase, type EdgeReport, systemEndpoints } from '@pult/contract'
import { expect, test } from 'vitest'
import { diagnose } from './diagnostics.ts'
import { plainReport } from './testing/plain-report.ts'
import { closedPort, portOf } from './testing/port-of.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ family, internal }) => internal && family === 'IPv6'),
)

interface Answer {
  status: number
  body: string
}

/** Runs the diagnostics of an agent, and returns their lines. */
async function linesOf(server: string, changes: Partial<EdgeReport> = {}): Promise<string[]> {
  const lines: string[] = []
  const own = { ...plainReport, ...changes }
  await diagnose({ server, version: '2.4.0', releaseKey: 'a key', report: own, connections: 1 }, (line) =>
    lines.push(line),
  )
  return lines
}

interface Place {
  address?: string
  host?: string
}

/** Starts a server whose calls a proxy may answer. */
async function serve(
  { live, release = live }: { live: Answer; release?: Answer },
  { address = '127.0.0.1', host = address }: Place = {},
): Promise<string> {
  const http = createServer(({ url }, response) => {
    const { status, body } = url === apiBase + systemEndpoints.live.path ? live : release
    response.writeHead(status, { location: 'https://login.example/' }).end(body)
  })
  return `http://${host}:${await portOf(http, address)}`
}

/** Runs the diagnostics against a server, and returns the problems that concern it. */
async function problemsOf(answers: { live: Answer; release?: Answer }): Promise<string[]> {
  const server = await serve(answers)
  const lines = await linesOf(server)
  return lines.flatMap((line) => (line.includes(server) ? (/^Problem: .*: (.*)$/.exec(line)?.[1] ?? []) : []))
}

const isAlive = { status: 200, body: '{"status":"ok"}' }

test.each([
  ['a redirect to a sign-in', { status: 302, body: '' }, 'with status 302'],
  ['a sign-in page', { status: 200, body: '<h1>Sign in</h1>' }, 'with status 200'],
  ['an error page', { status: 502, body: '<h1>Bad gateway</h1>' }, 'with status 502'],
])(
  'the diagnostics name a proxy that answers with %s instead of the server',
  async (_name, answer, reason) => {
    const named = `a proxy in front of it answers ${reason}`
    expect(await problemsOf({ live: answer })).toEqual([named, named, named, named, named])
    expect(await problemsOf({ live: isAlive, release: answer })).toEqual([named])
  },
)

test('the diagnostics of an agent whose server answers name no proxy', async () => {
  expect(await problemsOf({ live: isAlive, release: { status: 404, body: '{}' } })).toEqual([])
})

test.skipIf(!hasIpv6)(
  'actions/toolkit#2298 an agent whose server has an IPv6 address looks up no name',
  async () => {
    const server = await serve(
      { live: isAlive, release: { status: 404, body: '{}' } },
      { address: '::1', host: '[::1]' },
    )
    const lines = await linesOf(server)
    expect(lines.filter((line) => /Problem|resolve/.test(line))).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^http:\/\/\[::1\]:\d+ answers in \d+ ms/))
  },
)

test('FlowFuse/device-agent#337 the diagnostics name the cause of a server that cannot be reached', async () => {
  const unknown = await linesOf('https://no-such-host.invalid')
  expect(unknown).toContainEqual(
    expect.stringMatching(
      /^Problem: the name no-such-host\.invalid cannot be resolved: the name .*\((?:ENOTFOUND|EAI_AGAIN)\)$/,
    ),
  )
  const port = await closedPort()
  expect(await linesOf(`http://127.0.0.1:${port}`)).toContainEqual(
    `Problem: http://127.0.0.1:${port} does not answer: nothing accepts connections at 127.0.0.1:${port}, or a firewall refuses them (ECONNREFUSED)`,
  )
})

test('the diagnostics name the parts of a report that are unknown, instead of zeros', async () => {
  const missing = { load: 'there is no /proc', memory: 'there is no /proc', addresses: 'not permitted' }
  const lines = await linesOf('http://127.0.0.1:9', { missing, memory: { total: 0, free: 0 } })
  expect(lines.filter((line) => /^(?:Load|Memory|Addresses|load|memory|addresses) /.test(line))).toEqual([
    'load unknown: there is no /proc',
    'memory unknown: there is no /proc',
    'addresses unknown: not permitted',
  ])
})
