import { createClient } from '../calls.ts'
import { floorSide, pultSide, type Side } from '../login-calls.ts'
import { auc, aucNoise } from '../measure.ts'
import { newName, type People } from '../people.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/**
 * A network may fail 100 times, a person 5 times: after each block the counters are emptied, between two measurements.
 * No person is tried twice in a block.
 */
const blockPairs = 40
const warmUpPairs = 40
const controlPairs = 100

interface Times {
  known: number[]
  unknown: number[]
}

/**
 * Asks for known and unknown names in turn with a wrong password, one call at a time, and computes how well the time
 * of one answer tells them apart. Known names rotate over everybody, unknown ones are never used twice; all have the
 * same length, and which of a pair comes first is left to chance.
 */
export async function measureTiming(bench: Workbench, samples: number): Promise<Row[]> {
  const { pultUrl, floorUrl, people } = await bench.pair()
  const ours = await timesOf(pultSide(pultUrl), people, Math.ceil(samples / 2))
  const floor = await timesOf(floorSide(floorUrl), people, controlPairs)
  const noise = aucNoise(ours.known.length, ours.unknown.length)
  return [
    {
      name: 'refused login, known or unknown: AUC',
      unit: '',
      ours: [auc(ours.known, ours.unknown)],
      floor: [auc(floor.known, floor.unknown)],
      bar: { kind: 'between', low: 0.45, high: 0.55 },
      note: `${ours.known.length * 2} samples, chance alone gives 0.5 ± ${noise.toFixed(3)}; floor: no hash for unknown names`,
    },
  ]
}

async function timesOf(side: Side, people: People, pairs: number): Promise<Times> {
  const client = createClient(side.url, 1)
  const times: Times = { known: [], unknown: [] }
  const refuse = async (username: string) => {
    const body = side.loginBody(username, 'not the password')
    const { status, milliseconds } = await client.call(side.loginPath, { body })
    if (status !== 401) throw new Error(`A wrong password was answered ${status} instead of 401`)
    return milliseconds
  }

  for (let pair = -warmUpPairs; pair < pairs; pair += 1) {
    if (pair % blockPairs === 0) await people.forgetAttempts()
    const known = people.names[(pair + warmUpPairs) % people.names.length] ?? ''
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const group of order) {
      const milliseconds = await refuse(group === 'known' ? known : newName())
      if (pair >= 0) times[group].push(milliseconds)
    }
  }
  client.close()
  await people.forgetAttempts()
  return times
}
