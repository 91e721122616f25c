import { expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'

/** A clock whose three sources the test moves. */
function clockOf() {
  const time = {
    passed: 0,
    wall: Date.parse('2026-11-29T10:00:00Z'),
    database: Date.parse('2026-11-29T10:00:00Z'),
  }
  const warn = vi.fn<(...line: unknown[]) => void>()
  const clock = createClock({ log: { warn }, now: () => time.passed, wall: () => time.wall })
  const pass = (milliseconds: number) => {
    for (const source of ['passed', 'wall', 'database'] as const) time[source] += milliseconds
  }
  return {
    clock,
    time,
    warn,
    pass,
    readDatabase: (from = time.passed) => clock.noteDatabase(new Date(time.database), from),
  }
}

test.each([20_000, 3_600_000, 30 * 86_400_000, -20_000, -30 * 86_400_000])(
  'hashicorp/nomad#27675 a node notices that its clock and that of the database step by %i ms',
  (by) => {
    const { clock, time, warn, pass, readDatabase } = clockOf()
    const steps: number[] = []
    clock.onStep((step) => steps.push(step.by))
    expect([clock.noteNode(), readDatabase()]).toEqual([false, false])
    pass(1000)
    time.wall += by
    expect(clock.noteNode()).toBe(true)
    pass(1000)
    time.database += by
    expect([readDatabase(), clock.noteNode()]).toEqual([true, false])
    expect(steps).toEqual([by, by])
    expect(warn).toHaveBeenCalledTimes(2)
    expect(clock.lastStep()).toMatchObject({ whose: 'database', by })
  },
)

test('a late answer of the database and a slow correction are no steps', () => {
  const { time, warn, pass, readDatabase } = clockOf()
  readDatabase()
  for (let round = 0; round < 20; round += 1) {
    const from = time.passed
    // The answer waits in this node for 8 s after the database has read its clock.
    const read = time.database
    pass(8000)
    time.database = read
    readDatabase(from)
    time.database = read + 8000 + 500
    pass(1000)
  }
  expect(warn).not.toHaveBeenCalled()
})

test('the clocks are steady ten minutes after the start and after each step', () => {
  const { clock, time, pass } = clockOf()
  clock.noteNode()
  expect(clock.isSteady()).toBe(false)
  pass(600_000)
  expect(clock.isSteady()).toBe(true)
  time.wall -= 60_000
  clock.noteNode()
  expect(clock.isSteady()).toBe(false)
  pass(600_000)
  expect(clock.isSteady()).toBe(true)
  pass(86_400_000)
  expect(clock.lastStep()).toBeNull()
})

test('time limits are in doubt for ten minutes after a step, and not after the start', () => {
  const { clock, time, pass, readDatabase } = clockOf()
  readDatabase()
  expect(clock.hasStepped()).toBe(false)
  time.database += 30 * 86_400_000
  readDatabase()
  expect(clock.hasStepped()).toBe(true)
  pass(599_999)
  expect(clock.hasStepped()).toBe(true)
  pass(1)
  expect(clock.hasStepped()).toBe(false)
})
