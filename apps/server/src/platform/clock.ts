import type { Log } from './log.ts'

interface ClockParts {
  log: Pick<Log, 'warn'>
  /** Milliseconds without a step after which the clocks count as steady. */
  steadyAfter?: number | undefined
  /** Returns milliseconds that only increase. */
  now?: () => number
  /** Returns the present in milliseconds since 1970, by this node's clock. */
  wall?: () => number
}

export interface ClockStep {
  whose: 'node' | 'database'
  /** Milliseconds; negative for a step back. */
  by: number
  /** When the step was found, by this node's clock. */
  seenAt: string
}

/** Milliseconds. NTP corrects smaller differences without a step. */
const leastStep = 2000

/** Milliseconds. After the boot of a machine without a battery, NTP corrects the clock within a few minutes. */
const usuallySteadyAfter = 600_000

const interval = 1000

/** How long a step is reported. */
const reportedFor = 86_400_000

/**
 * Notices when the clock of this node or of the database steps: by a correction, a fail-over, or the sleep of the
 * machine. Compares both with time that only increases.
 */
export function createClock({
  log,
  steadyAfter = usuallySteadyAfter,
  now = () => performance.now(),
  wall = Date.now,
}: ClockParts) {
  /** The least and the greatest difference of each clock from `now`, which its last reading permits. */
  const known = new Map<ClockStep['whose'], { least: number; most: number }>()
  const listeners = new Set<(step: ClockStep) => void>()
  let steadyFrom = now() + steadyAfter
  let doubtfulUntil = Number.NEGATIVE_INFINITY
  let last: (ClockStep & { at: number }) | undefined
  let timer: NodeJS.Timeout | undefined

  /** Notes a time that a clock had somewhen between `from` and now. Returns whether the clock has stepped. */
  function note(whose: ClockStep['whose'], time: number, from: number): boolean {
    const at = now()
    const found = { least: time - at, most: time - from }
    const before = known.get(whose) ?? found
    known.set(whose, found)
    const ahead = found.least - before.most
    const behind = found.most - before.least
    if (ahead < leastStep && behind > -leastStep) return false
    const by = Math.round(ahead >= leastStep ? ahead : behind)
    const step = { whose, by, seenAt: new Date(wall()).toISOString() }
    last = { ...step, at }
    steadyFrom = at + steadyAfter
    doubtfulUntil = steadyFrom
    log.warn({ clock: whose, seconds: by / 1000 }, `the clock of the ${whose} has stepped`)
    for (const listener of listeners) listener(step)
    return true
  }

  const noteNode = (): boolean => note('node', wall(), now())

  return {
    /** Notes the database's present, which a statement that began at `from` (by `performance.now()`) has returned. */
    noteDatabase: (time: Date, from: number): boolean => note('database', time.getTime(), from),

    noteNode,

    onStep: (listener: (step: ClockStep) => void): void => void listeners.add(listener),

    /**
     * Returns whether no clock has stepped lately. Records expire by the clock, so their deletion waits while it may be
     * wrong.
     */
    isSteady: (): boolean => now() >= steadyFrom,

    /**
     * Returns whether a clock has stepped lately. Work that only a time limit ends waits meanwhile, because a correction
     * may follow. Unlike with {@link isSteady}, a start is no step.
     */
    hasStepped: (): boolean => now() < doubtfulUntil,

    /** The last step of the last day. */
    lastStep(): ClockStep | null {
      if (last === undefined || now() - last.at > reportedFor) return null
      const { at: _, ...step } = last
      return step
    },

    start(): void {
      timer = setInterval(noteNode, interval).unref()
    },

    stop(): void {
      clearInterval(timer)
    },
  }
}
export type Clock = ReturnType<typeof createClock>
