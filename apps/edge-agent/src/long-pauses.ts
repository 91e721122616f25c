/**
 * Pauses in milliseconds after an answer that a user has to change. It may also change without one: the server may be
 * restored. `look`: the time between two looks for a new enrolment of this machine.
 */
export const usualLongPauses = { first: 60_000, longest: 3_600_000, look: 10_000 }
export type LongPauses = typeof usualLongPauses

/** The pauses grow: 1 min, 5 min, 25 min, then an hour. */
export const longerPause = (pause: number, { longest }: LongPauses): number => Math.min(pause * 5, longest)

/** Randomised, so that a thousand edges do not call a restarted server at the same time. */
export const randomised = (time: number): number => time * (0.5 + Math.random())
