import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { lastLines } from './agent-log.ts'
import { becomeEdge } from './enrol.ts'
import { pendingToken } from './pending-token.ts'
import { writeState } from './state.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/** A server whose answers to the enrolment the test controls. Returns the bodies that it receives. */
async function serve(
  answer: (body: Record<string, unknown>) => { status: number; body: object | string; location?: string },
) {
  const bodies: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      bodies.push(sent)
      const { status, body, location } = answer(sent)
      const isPage = typeof body === 'string'
      response.writeHead(status, {
        'content-type': isPage ? 'text/html' : 'application/json',
        ...(location !== undefined && { location }),
      })
      response.end(isPage ? body : JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const edge = { edge: '018f0000-0000-7000-8000-000000000000', label: 'Hall', token: 'a-token' }

test('an agent repeats its enrolment without the fields that a server of an earlier release rejects', async () => {
  const { bodies, url } = await serve((body) =>
    'token' in body
      ? { status: 400, body: { code: 'VALIDATION_FAILED', message: 'unknown field' } }
      : { status: 200, body: edge },
  )
  const stateFolder = await temporaryFolder()
  const state = await becomeEdge({ server: url, code: 'ABCD', stateFolder })
  expect(state).toMatchObject({ server: url, token: 'a-token' })
  expect(bodies.map((body) => Object.keys(body).toSorted())).toEqual([
    ['code', 'machine', 'token', 'version'],
    ['code', 'token'],
    ['code'],
  ])
})

test('an agent at a terminal with a refused code ends with the message of the server', async () => {
  const { bodies, url } = await serve(() => ({
    status: 410,
    body: { code: 'EDGE_CODE_NOT_VALID', message: 'This code is no longer valid' },
  }))
  const stateFolder = await temporaryFolder()
  const asked = { server: url, code: 'ABCD', stateFolder }
  await expect(becomeEdge(asked, { isTerminal: true })).rejects.toThrow('This code is no longer valid')
  expect(bodies).toHaveLength(1)
})

/** Rejects each enrolment until `accept` is called. */
async function rejecting(answer: { status: number; body: object }) {
  let isAccepted = false
  const server = await serve(() => (isAccepted ? { status: 200, body: edge } : answer))
  return { ...server, accept: () => void (isAccepted = true) }
}

const gone = { status: 410, body: { code: 'EDGE_CODE_NOT_VALID', message: 'This code is no longer valid' } }
const shortPauses = { first: 20, longest: 100, look: 10 }

test('an agent without a terminal asks again with a refused code, and logs the answer once', async () => {
  const { bodies, url, accept } = await rejecting(gone)
  const asked = { server: url, code: 'ABCD', stateFolder: await temporaryFolder() }
  const enrolled = becomeEdge(asked, { isTerminal: false, longPauses: shortPauses })
  await expect.poll(() => bodies.length).toBeGreaterThan(3)
  accept()
  expect(await enrolled).toMatchObject({ token: 'a-token' })
  expect(lastLines().filter((line) => line.includes(`${url} rejected the code: `))).toHaveLength(1)
})

test('an agent at a terminal waits until another edge of its project is deleted', async () => {
  const { url, bodies, accept } = await rejecting({
    status: 409,
    body: { code: 'TOO_MANY_EDGES', message: 'A project holds at most 5000 edges' },
  })
  const asked = { server: url, code: 'ABCD', stateFolder: await temporaryFolder() }
  const enrolled = becomeEdge(asked, { isTerminal: true, longPauses: shortPauses })
  await expect.poll(() => bodies.length).toBeGreaterThan(1)
  accept()
  expect(await enrolled).toMatchObject({ token: 'a-token' })
})

test('an agent that waits with a refused code continues as the edge that another agent has enrolled', async () => {
  const { url, bodies } = await rejecting(gone)
  const stateFolder = await temporaryFolder()
  const waiting = becomeEdge(
    { server: url, code: 'ABCD', stateFolder },
    { isTerminal: false, longPauses: { first: 60_000, longest: 60_000, look: 10 } },
  )
  await expect.poll(() => bodies.length).toBe(1)
  const other = await serve(() => ({ status: 200, body: { ...edge, token: 'another-token' } }))
  await becomeEdge({ server: other.url, code: 'EFGH', stateFolder })
  expect(await waiting).toMatchObject({ server: other.url, token: 'another-token' })
})

test('an edge whose service still names an old code remains this edge', async () => {
  const { url, bodies } = await rejecting(gone)
  const stateFolder = await temporaryFolder()
  const stored = { server: url, edge: edge.edge, token: 'stored', usedCode: 'another' }
  await writeState(stateFolder, stored)
  const asked = { server: url, code: 'ABCD', stateFolder }
  expect(await becomeEdge(asked, { isTerminal: false, longPauses: shortPauses })).toEqual(stored)
  expect(bodies).toHaveLength(1)
  expect(lastLines().at(-1)).toContain(
    `${url} rejected the code: This code is no longer valid. This machine remains`,
  )
})

test.each([
  ['is the edge of another server', gone, () => 'http://127.0.0.1:9'],
  [
    'waits for a free place',
    { status: 409, body: { code: 'TOO_MANY_EDGES', message: 'A project holds at most 5000 edges' } },
    (url: string) => url,
  ],
])(
  'an agent with a new code that is refused asks again if its machine %s',
  async (_name, answer, serverOf) => {
    const { url, bodies, accept } = await rejecting(answer)
    const stateFolder = await temporaryFolder()
    await writeState(stateFolder, {
      server: serverOf(url),
      edge: edge.edge,
      token: 'stored',
      usedCode: 'another',
    })
    const asked = { server: url, code: 'ABCD', stateFolder }
    const enrolled = becomeEdge(asked, { isTerminal: false, longPauses: shortPauses })
    await expect.poll(() => bodies.length).toBeGreaterThan(1)
    accept()
    expect(await enrolled).toMatchObject({ server: url, token: 'a-token' })
  },
)

test('directus#18384 an agent whose code a gateway refuses with JSON asks again', async () => {
  const answers = [
    { status: 403, body: { code: 'FORBIDDEN', message: 'Access denied' } },
    { status: 404, body: { code: 'NOT_FOUND', message: 'No such route' } },
  ]
  for (const answer of answers) {
    const { url, bodies, accept } = await rejecting(answer)
    const asked = { server: url, code: 'ABCD', stateFolder: await temporaryFolder() }
    const enrolled = becomeEdge(asked, { isTerminal: true })
    await expect.poll(() => bodies.length).toBeGreaterThan(0)
    accept()
    expect(await enrolled).toMatchObject({ token: 'a-token' })
  }
})

test('an agent repeats an enrolment whose answer was lost with the same token, also after a restart', async () => {
  const stateFolder = await temporaryFolder()
  const { bodies, url } = await serve(() =>
    bodies.length < 3 ? { status: 502, body: '<h1>Bad Gateway</h1>' } : { status: 200, body: edge },
  )
  await pendingToken(stateFolder, { server: url, code: 'another' })
  await becomeEdge({ server: url, code: 'ABCD', stateFolder })
  const tokens = bodies.map(({ token }) => token)
  expect(tokens[0]).toEqual(expect.stringMatching(/^[\w-]{43}$/))
  expect(new Set(tokens).size).toBe(1)
  const restarted = await serve(() => ({ status: 200, body: edge }))
  const stored = await pendingToken(stateFolder, { server: restarted.url, code: 'hash' })
  expect(await pendingToken(stateFolder, { server: restarted.url, code: 'hash' })).toBe(stored)
  expect(await pendingToken(stateFolder, { server: url, code: 'hash' })).not.toBe(stored)
})

test('an agent deletes the token of its enrolment when the state contains the answer', async () => {
  const { url } = await serve(() => ({ status: 200, body: edge }))
  const stateFolder = await temporaryFolder()
  await becomeEdge({ server: url, code: 'ABCD', stateFolder })
  expect(await readdir(stateFolder)).toEqual(['edge.json'])
})

test('directus#18384 an agent names a proxy that answers instead of the server, and repeats its enrolment', async () => {
  const elsewhere = await serve(() => ({ status: 200, body: edge }))
  const answers = [
    { status: 307, body: '<h1>Moved</h1>', location: elsewhere.url },
    { status: 403, body: '<h1>Forbidden</h1>' },
    { status: 401, body: { message: 'Unauthorized' } },
    { status: 403, body: { code: 403, message: 'Access denied' } },
    { status: 302, body: '<h1>Found</h1>' },
    { status: 200, body: '<h1>Sign in</h1>' },
    { status: 200, body: { login: 'https://portal.example/login' } },
  ]
  const enrolments = answers.map(async (ofProxy) => {
    let isFirst = true
    const { url } = await serve(() => {
      const answer = isFirst ? ofProxy : { status: 200, body: edge }
      isFirst = false
      return answer
    })
    const stateFolder = await temporaryFolder()
    expect(await becomeEdge({ server: url, code: 'ABCD', stateFolder })).toMatchObject({ token: 'a-token' })
    expect(lastLines().join('\n')).toContain(
      `${url} cannot be reached (a proxy in front of it answers with status ${ofProxy.status}); retrying`,
    )
  })
  await Promise.all(enrolments)
  // The code reaches only the server for which it was entered.
  expect(elsewhere.bodies).toEqual([])
})
