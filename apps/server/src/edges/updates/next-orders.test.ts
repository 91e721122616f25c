import { type EdgeUpdatePolicy, usualEdgeUpdatePolicy } from '@pult/contract'
import { expect, test } from 'vitest'
import { isHeld, nextOrders } from './next-orders.ts'
import type { UpdateCounts } from './update.repository.ts'

const none: UpdateCounts = {
  done: 0,
  running: 0,
  failed: 0,
  away: 0,
  ready: 0,
  unable: 0,
  waiting: 0,
  sinceOrder: null,
}
const noon = new Date('2026-11-25T12:00:00Z')
const orders = (policy: Partial<EdgeUpdatePolicy>, counts: Partial<UpdateCounts>, now = noon) =>
  nextOrders({ ...usualEdgeUpdatePolicy, ...policy }, { ...none, ...counts }, now)
const rings = (counts: Partial<UpdateCounts>) =>
  orders({ mode: 'rings', rings: [10, 50, 100], pause: 10 }, counts)

test.each<[string, Partial<UpdateCounts>, number]>([
  ['the only edge', { ready: 1 }, 1],
  ['the first step of a fleet', { ready: 100 }, 10],
  ['half of it, when the rest is offline', { ready: 4, waiting: 96 }, 4],
  ['nothing while the first step runs', { ready: 90, running: 10, sinceOrder: 20 }, 0],
  ['nothing while the first step still runs after the pause', { ready: 90, running: 10, sinceOrder: 900 }, 0],
  ['the rest of a step', { ready: 94, running: 6, sinceOrder: 20 }, 4],
  ['nothing before the pause has passed', { ready: 90, done: 10, sinceOrder: 599 }, 0],
  ['the second step after it', { ready: 90, done: 10, sinceOrder: 600 }, 40],
  ['no more than fifty at a time', { ready: 500, done: 500, sinceOrder: 900 }, 50],
  ['nothing after a failure in the first step', { ready: 90, done: 9, failed: 1, sinceOrder: 900 }, 0],
  ['nothing after an absence in the first step', { ready: 90, done: 9, away: 1, sinceOrder: 900 }, 0],
  ['nothing while a failure holds the running step', { ready: 94, running: 5, failed: 1, sinceOrder: 9 }, 0],
  ['the last step although one of fifty has failed', { ready: 50, done: 49, failed: 1, sinceOrder: 900 }, 50],
  ['nothing when all are current', { done: 100, sinceOrder: 900 }, 0],
  ['the newcomer of a current fleet', { done: 99, ready: 1, sinceOrder: 900 }, 1],
])('rings order %s', (_name, counts, expected) => {
  expect(rings(counts)).toBe(expected)
})

test('failures hold only the steps of rings', () => {
  const counts = { ...none, done: 1, failed: 1, ready: 8 }
  expect(isHeld({ ...usualEdgeUpdatePolicy, mode: 'rings' }, counts)).toBe(true)
  expect(isHeld({ ...usualEdgeUpdatePolicy, mode: 'now' }, counts)).toBe(false)
  expect(orders({ mode: 'now' }, counts)).toBe(8)
  expect(orders({ mode: 'manual' }, counts)).toBe(0)
  expect(orders({ mode: 'now' }, { ready: 80, running: 30 })).toBe(20)
  // Users have ordered more updates manually.
  expect(orders({ mode: 'now' }, { ready: 80, running: 60 })).toBe(0)
})

test.each([
  ['02:00', '05:00', 'UTC', '2026-11-25T01:59:00Z', false],
  ['02:00', '05:00', 'UTC', '2026-11-25T02:00:00Z', true],
  ['02:00', '05:00', 'UTC', '2026-11-25T05:00:00Z', false],
  ['02:00', '05:00', 'Europe/Berlin', '2026-11-25T01:30:00Z', true],
  ['02:00', '05:00', 'Europe/Berlin', '2026-07-25T03:30:00Z', false],
  ['22:00', '05:00', 'UTC', '2026-11-25T23:30:00Z', true],
  ['22:00', '05:00', 'UTC', '2026-11-25T00:30:00Z', true],
  ['22:00', '05:00', 'UTC', '2026-11-25T12:00:00Z', false],
])('a window from %s to %s in %s at %s orders: %s', (from, to, timeZone, at, isOpen) => {
  const policy = { mode: 'window', window: { from, to, timeZone } } as const
  expect(orders(policy, { ready: 3 }, new Date(at))).toBe(isOpen ? 3 : 0)
})
