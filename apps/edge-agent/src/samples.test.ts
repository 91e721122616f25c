import { expect, test } from 'vitest'
import { createClock } from './samples.ts'

const year = 365 * 86_400_000

function machine() {
  const times = { awake: 1000, sinceBoot: 50_000 as number | undefined }
  const clock = createClock(
    {
      awake: () => times.awake,
      sinceBoot: () => {
        if (times.sinceBoot === undefined) throw new Error('unknown')
        return times.sinceBoot
      },
    },
    1_700_000_000_000,
  )
  const pass = (awake: number, asleep = 0) => {
    times.awake += awake
    if (times.sinceBoot !== undefined) times.sinceBoot += awake + asleep
    return clock()
  }
  return { times, pass }
}

test('the time of samples counts the time in which the machine sleeps, and never runs backwards', () => {
  const { pass } = machine()
  const first = pass(0)
  expect(pass(5000)).toBe(first + 5000)
  expect(pass(5000, 3_600_000)).toBe(first + 3_610_000)
  expect(pass(5000)).toBe(first + 3_615_000)
  expect(pass(5000, 400)).toBe(first + 3_620_000)
  // A container whose uptime begins again.
  expect(pass(5000, -year)).toBe(first + 3_625_000)
})

test('a machine that does not report its uptime has the time of the process', () => {
  const { times, pass } = machine()
  const first = pass(0)
  times.sinceBoot = undefined
  expect(pass(5000)).toBe(first + 5000)
})
