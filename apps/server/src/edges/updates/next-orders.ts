import type { EdgeUpdatePolicy } from '@pult/contract'
import type { UpdateCounts } from './update.repository.ts'

/** Maximum number of concurrent updates in a project, because each agent downloads the file from this installation. */
const runningMost = 50

/** Share of ordered edges that may be failed or away before the next step is held. */
const lossMost = 0.05

/** Whether failed and absent edges hold the next step. */
export const isHeld = ({ mode }: EdgeUpdatePolicy, { done, running, failed, away }: UpdateCounts): boolean =>
  mode === 'rings' && failed + away > (done + running + failed + away) * lossMost

/** Returns how many edges receive an order now. */
export function nextOrders(policy: EdgeUpdatePolicy, counts: UpdateCounts, now: Date): number {
  const { ready, running } = counts
  const room = Math.min(ready, Math.max(0, runningMost - running))
  switch (policy.mode) {
    case 'manual':
      return 0
    case 'now':
      return room
    case 'window':
      return isWithin(policy.window, now) ? room : 0
    case 'rings':
      return isHeld(policy, counts) ? 0 : Math.min(room, leftInRing(policy, counts))
  }
}

function leftInRing({ rings, pause }: EdgeUpdatePolicy, counts: UpdateCounts): number {
  const { done, running, failed, away, ready, waiting, sinceOrder } = counts
  const reached = done + running + failed + away
  const all = reached + ready + waiting
  const ends = rings.map((percent) => Math.ceil((all * percent) / 100))
  const isSettled = running === 0 && (sinceOrder === null || sinceOrder >= pause * 60)
  const end = ends.find((each) => (isSettled ? each > reached : each >= reached)) ?? all
  return end - reached
}

function isWithin({ from, to, timeZone }: EdgeUpdatePolicy['window'], now: Date): boolean {
  // Hours and minutes with leading zeros can be compared as text.
  const time = now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return from < to ? from <= time && time < to : from <= time || time < to
}
