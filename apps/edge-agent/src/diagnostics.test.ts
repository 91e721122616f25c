import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiBase, systemEndpoints } from '@pult/contract'
import { expect, onTestFinished, test } from 'vitest'
import { diagnose } from './diagnostics.ts'
import { readCondition } from './report.ts'

interface Answer {
  status: number
  body: string
}

/** Runs the diagnostics against a server, whose calls a proxy may answer. Returns the problems that concern it. */
async function problemsOf({ live, release = live }: { live: Answer; release?: Answer }): Promise<string[]> {
  const http = createServer(({ url }, response) => {
    const { status, body } = url === apiBase + systemEndpoints.live.path ? live : release
    response.writeHead(status, { location: 'https://login.example/' }).end(body)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => void http.close())
  const server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const report = {
    ...(await readCondition('/')),
    decks: { driver: 'missing' as const, reason: null, devices: [] },
    instances: [],
  }
  const lines: string[] = []
  const parts = { server, version: '2.4.0', releaseKey: 'a key', report, connections: 1 }
  await diagnose(parts, (line) => lines.push(line))
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
