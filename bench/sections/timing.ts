import { apiBase, emailEndpoints, passkeyLoginEndpoints, recoveryEndpoints } from '@pult/contract'
import { type Client, createClient } from '../calls.ts'
import { floorSide, pultSide, type Side } from '../login-calls.ts'
import { auc, aucNoise } from '../measure.ts'
import { newName, type People } from '../people.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** A call whose answer must not tell, nor its time, whether the name in it is known. */
interface Question {
  /** What the table calls it. */
  name: string
  path: string
  bodyFor: (name: string) => unknown
  /** The status of every answer. */
  status: number
  token?: string
  /**
   * After so many pairs what they left behind is undone, between two measurements, and no limit is ever reached. No
   * name is used twice in between.
   */
  blockPairs: number
}

const warmUpPairs = 40
const controlPairs = 100

interface Times {
  known: number[]
  unknown: number[]
}

/**
 * Asks about known and unknown names in turn, one call at a time, and computes how well the time of one answer tells
 * them apart. Known names rotate over everybody, unknown ones are never used twice; all have the same length, and which
 * of a pair comes first is left to chance.
 */
export async function measureTiming(bench: Workbench, samples: number): Promise<Row[]> {
  const { pultUrl, floorUrl, pultToken, people } = await bench.pair()
  const pairs = Math.ceil(samples / 2)
  const naive = await timesOf(floorUrl, refusedLogin(floorSide(floorUrl)), people, controlPairs)
  const rows: Row[] = []
  for (const question of [
    refusedLogin(pultSide(pultUrl)),
    passwordReset,
    passkeyOptions,
    addedEmail(pultToken),
  ]) {
    const { known, unknown } = await timesOf(pultUrl, question, people, pairs)
    const noise = aucNoise(known.length, unknown.length).toFixed(3)
    const note = `${known.length * 2} samples, chance alone gives 0.5 ± ${noise}`
    rows.push({
      name: `${question.name}, known or unknown: AUC`,
      unit: '',
      ours: [auc(known, unknown)],
      bar: { kind: 'between', low: 0.45, high: 0.55 },
      ...(question.name === loginName
        ? { floor: [auc(naive.known, naive.unknown)], note: `${note}; floor: no hash for unknown names` }
        : { note }),
    })
  }
  return rows
}

const loginName = 'refused login'

const refusedLogin = (side: Side): Question => ({
  name: loginName,
  path: side.loginPath,
  bodyFor: (name) => side.loginBody(name, 'not the password'),
  status: 401,
  // A network may fail 100 times, a person 5 times.
  blockPairs: 40,
})

const passwordReset: Question = {
  name: 'password reset',
  path: apiBase + recoveryEndpoints.resetPassword.path,
  bodyFor: (username) => ({ username }),
  status: 200,
  blockPairs: 8,
}

const passkeyOptions: Question = {
  name: 'passkey options',
  path: apiBase + passkeyLoginEndpoints.options.path,
  bodyFor: (username) => ({ username }),
  status: 200,
  blockPairs: 40,
}

/** An address of somebody else is known, any other is not. */
const addedEmail = (token: string): Question => ({
  name: 'added e-mail address',
  path: apiBase + emailEndpoints.create.path,
  bodyFor: (email) => ({ email }),
  status: 200,
  token,
  blockPairs: 8,
})

async function timesOf(url: string, question: Question, people: People, pairs: number): Promise<Times> {
  const client = createClient(url, 1)
  const times: Times = { known: [], unknown: [] }
  for (let pair = -warmUpPairs; pair < pairs; pair += 1) {
    if (pair % question.blockPairs === 0) await people.startOver()
    const known = people.names[(pair + warmUpPairs) % people.names.length] ?? ''
    const order = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const group of order) {
      const milliseconds = await ask(client, question, group === 'known' ? known : newName())
      if (pair >= 0) times[group].push(milliseconds)
    }
  }
  client.close()
  await people.startOver()
  return times
}

async function ask(
  client: Client,
  { path, bodyFor, status: expected, token, name: question }: Question,
  name: string,
): Promise<number> {
  const { status, milliseconds } = await client.call(path, {
    body: bodyFor(name),
    ...(token !== undefined && { token }),
  })
  if (status !== expected) throw new Error(`${question}: answered ${status} instead of ${expected}`)
  return milliseconds
}
