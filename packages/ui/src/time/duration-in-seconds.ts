/** Whole seconds between two instants, or from one to now. A clock behind the server's makes nothing take less than none. */
export function durationInSeconds(from: string, to: string | null, now: number): number {
  const end = to === null ? now : Date.parse(to)
  return Math.max(0, Math.round((end - Date.parse(from)) / 1000))
}
