import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { createHeartbeat } from './heartbeat.ts'

const server = await testServer()

test('callers that wait for a heartbeat share the next one, which has values of after their call', async () => {
  let sockets = 0
  let reads = 0
  const heartbeat = createHeartbeat({
    db: server.db,
    version: '1.2.3',
    count: () => {
      reads += 1
      return { sockets, edges: 0 }
    },
    untrustedProxy: () => null,
    problems: () => [],
    log: createLog('silent'),
  })
  onTestFinished(heartbeat.stop)
  const first = heartbeat.write()
  sockets = 7
  await Promise.all([first, ...Array.from({ length: 50 }, heartbeat.write)])
  expect(reads).toBe(2)
  const { rows } = await sql<{
    sockets: number
  }>`select sockets from node where id = ${heartbeat.id}`.execute(server.db)
  expect(rows).toEqual([{ sockets: 7 }])
  await heartbeat.write()
  expect(reads).toBe(3)
})
