/**
 * Returns the whole seconds from one instant to another or to now. A clock behind the server's yields 0, never less.
 */
export function durationInSeconds(from: string, to: string | null, now: number): number {
  const end = to === null ? now : Date.parse(to)
  return Math.max(0, Math.round((end - Date.parse(from)) / 1000))
}
