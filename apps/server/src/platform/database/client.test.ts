import { Socket } from 'node:net'
import { createTestDatabase } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseClient, faultOfVariables } from './client.ts'

const plain = 'postgres://pult@one/pult'

test.each([
  [plain, ['PGSSLMODE'], /^The variable PGSSLMODE is not read\. .*DATABASE_URL, for example sslmode=/],
  [`${plain}?sslmode=verify-full`, ['PGSSLMODE'], /^none$/],
  [`${plain}?sslmode=verify-full`, ['PGSSLROOTCERT'], /PGSSLROOTCERT .*sslrootcert=/],
  [`${plain}?sslcert=/a`, ['PGSSLCERT', 'PGSSLKEY'], /PGSSLKEY .*sslkey=/],
  [plain, ['PGPASSWORD'], /PGPASSWORD .*postgres:\/\/USER:PASSWORD@/],
  [plain, ['PGPASSFILE'], /PGPASSFILE/],
  ['postgres://pult:secret@one:5432/pult', ['PGPASSWORD', 'PGPASSFILE'], /^none$/],
  ['postgres://pult@one:5432,two:5433/pult', ['PGPASSWORD'], /PGPASSWORD/],
  ['postgres://one:5432/pult?user=pult', ['PGPASSWORD'], /PGPASSWORD/],
  [plain, ['PGHOST', 'PGOPTIONS'], /^none$/],
])('%s with the variables %s starts or is refused', (url, names, fault) => {
  expect(faultOfVariables(url, names) ?? 'none').toMatch(fault)
})

test('every connection asks a silent peer for an answer after 10 s, also while it only receives', async () => {
  const { connection, drop } = await createTestDatabase()
  const set = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(async () => {
    set.mockRestore()
    await drop()
  })
  const client = new DatabaseClient(connection)
  await client.connect()
  expect(set.mock.calls).toContainEqual([true, 10_000])
  await client.end()
})
