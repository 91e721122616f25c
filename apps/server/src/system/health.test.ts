import { apiBase } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { createHealthService } from './health.service.ts'

const healthy = {
  condition: {
    facts: async () => ({ outdatedAgents: 0, clockOffset: 0 }),
    mail: async () => ({
      lastSent: null,
      waiting: 0,
      trouble: null,
      failed: 0,
      refused: { total: 0, addresses: [] },
    }),
    jobs: async () => ({
      waiting: 0,
      running: 0,
      failed: 0,
      oldest: null,
      tasks: { waiting: 0, running: 0, failed: 0 },
    }),
  },
  fileStore: { read: async () => null },
  readiness: { read: async () => null },
  disk: { read: () => ({ free: 10, size: 20 }), isFull: () => false, lacksInodes: () => false, reserve: 5 },
  timeout: 20,
}
const ok = { database: 'ok', files: 'ok', mail: 'ok', jobs: 'ok', disk: 'ok', clock: 'ok' }

test('the health of each part is reported to this machine and to no client behind a proxy', async () => {
  const server = await testServer()
  const answer = await fetch(`${server.url}${apiBase}/health`)
  expect([answer.status, await answer.json()]).toEqual([200, ok])
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  expect((await fetch(`${server.url}${apiBase}/health`, forwarded)).status).toBe(401)
})

test('a part that fails or hangs does not hide the others', async () => {
  const { condition, disk } = healthy
  const away = async () => {
    throw new Error('away')
  }
  const read = (parts: object) => createHealthService({ ...healthy, ...parts })()
  expect(await read({ fileStore: { read: () => new Promise(() => {}) } })).toEqual({ ...ok, files: 'fail' })
  expect(await read({ condition: { ...condition, facts: away } })).toEqual({
    ...ok,
    database: 'fail',
    clock: 'fail',
  })
  expect(
    await read({
      condition: { ...condition, facts: async () => ({ outdatedAgents: 0, clockOffset: 90_000 }) },
      disk: { ...disk, reserve: 15 },
    }),
  ).toEqual({ ...ok, clock: 'warn', disk: 'warn' })
  expect(await read({ disk: { ...disk, isFull: () => true } })).toEqual({ ...ok, disk: 'fail' })
  // The files may be in a bucket, and their check succeeds.
  expect(await read({ disk: { ...disk, lacksInodes: () => true } })).toEqual({ ...ok, disk: 'warn' })
})

test('a stopping server is not ready, still answers calls, and reports it in the contract’s format', async () => {
  const server = await testServer()
  server.app.withdraw()
  const answer = await fetch(`${server.url}${apiBase}/health/ready`)
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'BUSY' })])
  expect(server.logLines.filter((line) => line.includes('"warn"'))).toEqual([])
  expect((await fetch(`${server.url}${apiBase}/health/live`)).status).toBe(200)
  expect((await fetch(`${server.url}${apiBase}/settings/public`)).status).toBe(200)
})
