import { median } from './measure.ts'

/** The target of a line in the table. `ours` and `floor` are medians. */
export type Bar =
  | { kind: 'at most'; value: number }
  | { kind: 'below'; value: number }
  | { kind: 'between'; low: number; high: number }
  /** At most `factor` times the floor, `plus` a constant on top. */
  | { kind: 'times the floor'; factor: number; plus?: number }
  /** At least this share (0..1) of the floor. */
  | { kind: 'share of the floor'; share: number }

export function isMet(bar: Bar, ours: readonly number[], floor: readonly number[] | undefined): boolean {
  const value = median(ours)
  switch (bar.kind) {
    case 'at most':
      return value <= bar.value
    case 'below':
      return value < bar.value
    case 'between':
      return value >= bar.low && value <= bar.high
    case 'times the floor':
      return value <= bar.factor * floorMedian(floor) + (bar.plus ?? 0)
    case 'share of the floor':
      return value >= bar.share * floorMedian(floor)
  }
}

function floorMedian(floor: readonly number[] | undefined): number {
  if (floor === undefined) throw new Error('This bar needs a floor to compare with')
  return median(floor)
}
