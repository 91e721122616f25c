import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Number of ports of one worker. */
const share = 1000
const begin = 11_000 + (Number(process.env.VITEST_POOL_ID ?? 1) % 20) * share
let last = randomInt(share)

/**
 * Returns a port that stays free until a server listens on it. It is below the ephemeral ports of the system and in the
 * range of this worker.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % share
    const port = begin + last
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((closed) => probe.close(closed))
    return port
  }
}
