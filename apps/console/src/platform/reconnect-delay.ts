const first = 500
const longest = 30_000

/**
 * How long to wait before the given try (the first is 0). Doubles up to half a minute, and spreads over half of that, so
 * that a restarted server is not met by all consoles at once.
 */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(first * 2 ** attempt, longest)
  return full / 2 + (full / 2) * random()
}
