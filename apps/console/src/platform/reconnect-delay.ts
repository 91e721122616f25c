const first = 500
const longest = 30_000

/**
 * Returns the delay before an attempt (the first is 0). It doubles up to half a minute. A random half spreads the
 * reconnects of all consoles after a restart of the server.
 */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(first * 2 ** attempt, longest)
  return full / 2 + (full / 2) * random()
}
