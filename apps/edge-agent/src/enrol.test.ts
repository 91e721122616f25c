import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { lastLines } from './agent-log.ts'
import { becomeEdge } from './enrol.ts'
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

test('an agent repeats its enrolment without the facts of its machine if the server rejects them', async () => {
  const { bodies, url } = await serve((body) =>
    'machine' in body
      ? { status: 400, body: { code: 'VALIDATION_FAILED', message: 'unknown field' } }
      : { status: 200, body: edge },
  )
  const stateFolder = await temporaryFolder()
  const state = await becomeEdge({ server: url, code: 'ABCD', stateFolder })
  expect(state).toMatchObject({ server: url, token: 'a-token' })
  expect(bodies.map((body) => Object.keys(body).toSorted())).toEqual([
    ['code', 'machine', 'version'],
    ['code'],
  ])
})

test('an agent with a refused code ends with the message of the server', async () => {
  const { bodies, url } = await serve(() => ({
    status: 410,
    body: { code: 'EDGE_CODE_NOT_VALID', message: 'This code is no longer valid' },
  }))
  const stateFolder = await temporaryFolder()
  await expect(becomeEdge({ server: url, code: 'ABCD', stateFolder })).rejects.toThrow(
    'This code is no longer valid',
  )
  expect(bodies).toHaveLength(1)
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
