import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { createTestDatabase } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { connectClient, lowerPriorityOf } from './connect-client.ts'
import { lowerPriority } from './low-priority.ts'

const sessionOf = (pid: number) => readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => 'none')

test('a process with its own session gets a low priority, and so does the session if the kernel supports it', async () => {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const own = await sessionOf(process.pid)
  await lowerPriority(pid)
  expect(getPriority(pid)).toBe(5)
  expect(await sessionOf(pid)).toMatch(/nice 5|^none$/)
  expect(await sessionOf(process.pid)).toBe(own)
})

test('a process that has ended causes no error', async () => {
  const child = spawn('true', { stdio: 'ignore' })
  await once(child, 'exit')
  await expect(lowerPriority(child.pid ?? 0)).resolves.toBeUndefined()
})

test('a connection of a restore drill lowers only the priority of its database process', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  const [client, other] = [await connectClient(connection, 'test'), await connectClient(connection, 'test')]
  const priorityOf = async (of: typeof client) => {
    const { rows } = await of.query<{ pid: number }>('select pg_backend_pid() as pid')
    return getPriority(rows[0]?.pid ?? 0)
  }
  await lowerPriorityOf(client)
  const priorities = [await priorityOf(client), await priorityOf(other)]
  await Promise.all([client.end(), other.end()])
  expect(priorities).toEqual([5, 0])
})

test('a failed connection reports the reason and a remedy', async () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'pult', database: 'pult', ssl: false as const }
  await expect(connectClient(connection, 'test')).rejects.toThrow(
    /cannot be reached: nothing listens on 127\.0\.0\.1 port 1\. Check that PostgreSQL/,
  )
})
