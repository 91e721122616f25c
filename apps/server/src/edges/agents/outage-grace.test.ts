import { expect, test } from 'vitest'
import { createOutageGrace } from './outage-grace.ts'

function open() {
  let now = 0
  const grace = createOutageGrace(15_000, () => now)
  return {
    grace,
    /** Lets time pass with an answer each second. */
    live(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        now += 1000
        grace.answered()
      }
    },
    /** Lets time pass without an answer. */
    fail(seconds: number) {
      now += seconds * 1000
    },
  }
}

test('edges may be marked as offline 15 s after the start', () => {
  const { grace, live } = open()
  live(14)
  expect(grace.isOver()).toBe(false)
  live(1)
  expect(grace.isOver()).toBe(true)
})

test('no edge is marked as offline during an outage of the database and for 15 s after it', () => {
  const { grace, live, fail } = open()
  live(20)
  fail(60)
  expect(grace.isOver()).toBe(false)
  live(14)
  expect(grace.isOver()).toBe(false)
  live(2)
  expect(grace.isOver()).toBe(true)
})

test('failures between answers do not postpone the check for offline edges', () => {
  const { grace, live, fail } = open()
  live(20)
  for (let round = 0; round < 10; round += 1) {
    fail(4)
    live(1)
    expect(grace.isOver()).toBe(true)
  }
})
