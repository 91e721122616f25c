/** Limits of unauthenticated sockets on one node. */
export interface StrangersLimits {
  /** Per network. */
  network: number
  all: number
}

export interface Stranger {
  network: string
  /** Whether the server owes this socket no answer: it has sent nothing, or was already refused. */
  isIdle: () => boolean
  /** Closes the socket immediately, without the closing handshake. */
  drop: () => void
}

/** Milliseconds after which an idle socket may be closed. Consoles and agents send their token immediately. */
const idleFor = 1000

/**
 * The unauthenticated sockets of one node. An attacker can open as many as the limits permit, so at a limit a newcomer
 * takes the place of an idle socket instead of being refused.
 */
export function createStrangers(limits: StrangersLimits) {
  /** The time at which each one opened; the oldest is first. */
  const present = new Map<Stranger, number>()

  return {
    add: (stranger: Stranger): void => void present.set(stranger, performance.now()),

    remove: (stranger: Stranger): void => void present.delete(stranger),

    /** Returns whether another socket of this network may open. At a limit, drops an idle one to make room. */
    admits(network: string): boolean {
      const counts = new Map<string, number>()
      for (const stranger of present.keys())
        counts.set(stranger.network, (counts.get(stranger.network) ?? 0) + 1)
      const countOf = (of: string) => counts.get(of) ?? 0
      const isNetworkFull = countOf(network) >= limits.network
      if (!isNetworkFull && present.size < limits.all) return true

      const idleSince = performance.now() - idleFor
      let gone: Stranger | undefined
      for (const [stranger, openedAt] of present) {
        if (openedAt > idleSince) break
        if ((isNetworkFull && stranger.network !== network) || !stranger.isIdle()) continue
        // The oldest of the network with the most sockets.
        if (gone === undefined || countOf(stranger.network) > countOf(gone.network)) gone = stranger
      }
      if (gone === undefined) return false
      present.delete(gone)
      gone.drop()
      return true
    },
  }
}
export type Strangers = ReturnType<typeof createStrangers>
