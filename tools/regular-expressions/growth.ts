/** Lengths of the compared texts in UTF-16 code units. */
const short = 16 * 1024
const long = 4 * short

/** A function that takes this many milliseconds for a text of this length would take minutes for the others. */
const probe = 512
const probeMost = 50

/** Shorter times are not compared, in milliseconds: for half of the short text, and for the long one. */
const negligible = 5
const leastLong = 20 * negligible

/** A linear function takes four times as long for four times the text, and a quadratic one sixteen times. */
const ratioMost = 9

/** Returns milliseconds of processor time: other programs must not count. */
function timeOf(work: (text: string) => void, text: string): number {
  const { user } = process.threadCpuUsage()
  work(text)
  return (process.threadCpuUsage().user - user) / 1000
}

/**
 * Returns whether the time for a text made of `part` grows faster than its length. `tail` follows the repeated part. The
 * shortest of three times for the long text is compared with the longest for the short one.
 */
export function growsFast(work: (text: string) => void, part: string, tail = ''): boolean {
  const textOf = (length: number) => part.repeat(Math.ceil(length / part.length)) + tail
  const timeFor = (length: number) => timeOf(work, textOf(length))
  if (timeFor(probe) > probeMost) return true
  if (timeFor(short / 2) < negligible) return false
  const times = (length: number) => [1, 2, 3].map(() => timeFor(length))
  return Math.min(...times(long)) > Math.max(leastLong, ratioMost * Math.max(...times(short)))
}
