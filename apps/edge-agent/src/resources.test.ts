import { randomUUID } from 'node:crypto'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sized } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lastLines } from './agent-log.ts'
import { heldNow, startWholeAgent, type WholeAgent } from './testing/whole-agent.ts'

/** A configuration that uses every part of the agent that holds handles. */
const config = {
  instances: [
    { key: 'kiosk', label: 'Kiosk', run: ['/bin/sleep', '100000'] },
    { key: 'clock', label: 'Clock', status: ['/bin/true'] },
  ],
}

const failing = () => {
  throw new Error('uv_interface_addresses returned Unknown system error 13')
}

/**
 * Faults of the surroundings. Each one begins and ends within the function; afterwards the agent must report again, and
 * must hold the same handles, pipes, children and timers as before.
 */
const faults: Record<string, (agent: WholeAgent) => Promise<void>> = {
  'the server restarts': async (agent) => {
    await agent.down()
    await agent.pass(2000)
    await agent.up()
  },
  'the machine cannot list its interfaces': async (agent) =>
    agent.during({ networkInterfaces: failing }, async () => {
      await agent.reportsAgain()
      expect(agent.lastReport()).toMatchObject({ addresses: [], missing: { addresses: expect.anything() } })
    }),
  'a file system does not answer': async (agent) => {
    let answer = () => {}
    const silent = () =>
      new Promise<never>((_resolve, reject) => {
        answer = () => reject(new Error('The file system has gone'))
      })
    await agent.during({ statfs: silent }, async () => {
      await agent.reportsAgain()
      await agent.reportsAgain()
      expect(agent.lastReport()).toMatchObject({ disk: null })
      answer()
    })
  },
  'the disk cannot be written': async (agent) => {
    // Neither a command nor the state of a program can be noted.
    const blocked = ['commands.json.next', 'programs.json.next'].map((name) => join(agent.folder, name))
    for (const folder of blocked) await mkdir(folder)
    const id = randomUUID()
    const command = { name: 'restart-instance', key: 'kiosk' } as const
    agent.send({ type: 'command', id, command, isRepeated: true })
    await agent.passUntil(() =>
      agent.received.some((message) => message['command'] === id && 'outcome' in message),
    )
    expect(agent.received.findLast((message) => message['command'] === id)).toMatchObject({
      outcome: { ok: false, error: expect.stringContaining('could not be saved') },
    })
    for (const folder of blocked) await rmdir(folder)
  },
  'the clock jumps a year ahead and back': async (agent) => {
    const now = Date.now()
    vi.setSystemTime(now + 365 * 86_400_000)
    await agent.reportsAgain()
    vi.setSystemTime(now - 365 * 86_400_000)
    await agent.reportsAgain()
    vi.setSystemTime(now)
  },
  'the server refuses a report': async (agent) => agent.close(4400, 'report.disk.total: too large'),
  'the server is busy': async (agent) => agent.close(1013),
  'the connection is cut': async (agent) => agent.cut(),
}

test('vercel/serve#746 the agent holds as many handles, pipes, children and timers after 30 minutes as after one', async () => {
  const agent = await startWholeAgent(config, { programs: 1 })
  await agent.reportsAgain()
  await agent.pass(60_000)
  const before = await heldNow()
  for (let minute = 0; minute < 29; minute += 1) {
    await agent.pass(60_000)
    await expect.poll(heldNow).toEqual(before)
  }
  expect(agent.reports()).toBeGreaterThan(350)
  expect(agent.welcomes()).toBe(1)
})

test('the agent holds as many handles, pipes, children and timers after 1,000 faults as before', {
  tags: ['long'],
  timeout: sized(120_000, 900_000),
}, async () => {
  const agent = await startWholeAgent(config, { programs: 1 })
  await agent.reportsAgain()
  await agent.pass(60_000)
  const before = await heldNow()
  const all = Object.values(faults)
  for (let index = 0; index < sized(80, 1000); index += 1) {
    await all[index % all.length]?.(agent)
    await agent.reportsAgain()
  }
  await agent.pass(60_000)
  await expect.poll(heldNow).toEqual(before)
})

test('s3fs-fuse#1870 an agent whose reports are refused reconnects with growing pauses and logs the reason once', async () => {
  const logged = vi.spyOn(console, 'log')
  onTestFinished(() => logged.mockRestore())
  const agent = await startWholeAgent()
  agent.onReport((ws) => ws.close(4400, 'badMessage: report.disk.total: Must be a number'))
  await agent.pass(600_000)
  // Pauses of 0.5 s to 30 s: fewer than 40 connections in ten minutes instead of 1,500.
  expect(agent.welcomes()).toBeGreaterThan(10)
  expect(agent.welcomes()).toBeLessThan(45)
  const lines = logged.mock.calls.flat().join('\n')
  expect(lines.match(/refuses a message .*report\.disk\.total: Must be a number/g)).toHaveLength(1)
  // Half a healthy minute is not enough: the pause is at least 15 s.
  agent.onReport(() => {})
  await agent.reportsAgain()
  await agent.pass(30_000)
  const early = agent.welcomes()
  agent.cut()
  await agent.pass(10_000)
  expect(agent.welcomes()).toBe(early)
  // After a healthy minute, the first pause is short again.
  await agent.reportsAgain()
  await agent.pass(90_000)
  const healthy = agent.welcomes()
  agent.cut()
  const cutAt = Date.now()
  await agent.passUntil(() => agent.welcomes() > healthy)
  expect(Date.now() - cutAt).toBeLessThan(10_000)
})

test('an agent logs once which fields of its reports the server does not accept', async () => {
  const agent = await startWholeAgent()
  await agent.reportsAgain()
  const parts = [{ path: 'report.disk.total', rule: 'Must be a number' }]
  for (let count = 0; count < 3; count += 1) {
    agent.send({ type: 'refused', parts })
    await agent.reportsAgain()
  }
  expect(lastLines().filter((line) => line.includes('does not accept report.disk.total'))).toHaveLength(1)
})
