import { apiBase, emailEndpoints, passkeyLoginEndpoints, recoveryEndpoints } from '@pult/contract'
import { type Client, createClient } from '../calls.ts'
import { floorSide, pultSide, type Side } from '../login-calls.ts'
import { auc, aucNoise } from '../measure.ts'
import { newName, type People } from '../people.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** A call whose response must not reveal, by content or time, whether its name is known. */
interface Question {
  /** The name in the table. */
  name: string
  path: string
  bodyFor: (name: string) => unknown
  /** The expected status of every response. */
  status: number
  token?: string
  /**
   * Number of pairs after which their records are removed, between two measurements, so that no limit is reached. No
   * name repeats within a block.
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
 * Sends known and unknown names in turn, one call at a time, and computes how well the response time separates them.
 * Known names rotate over all accounts, unknown ones are never reused. All names have the same length, and the order
 * within a pair is random.
 */
export async function* measureTiming(bench: Workbench, samples: number): AsyncGenerator<Row> {
  const { pultUrl, floorUrl, pultToken, people } = await bench.pair()
  const pairs = Math.ceil(samples / 2)
  const naive = await timesOf(floorUrl, refusedLogin(floorSide(floorUrl)), people, controlPairs)
  for (const question of [
    refusedLogin(pultSide(pultUrl)),
    passwordReset,
    passkeyOptions,
    addedEmail(pultToken),
  ]) {
    const { known, unknown } = await timesOf(pultUrl, question, people, pairs)
    const noise = aucNoise(known.length, unknown.length).toFixed(3)
    const note = `${known.length * 2} samples; by chance alone 0.5 ± ${noise}`
    yield {
      name: `${question.name}, known or unknown: AUC`,
      unit: '',
      ours: [auc(known, unknown)],
      bar: { kind: 'between', low: 0.45, high: 0.55 },
      ...(question.name === loginName
        ? { floor: [auc(naive.known, naive.unknown)], note: `${note}; floor: no hash for unknown names` }
        : { note }),
    }
  }
}

const loginName = 'refused login'

const refusedLogin = (side: Side): Question => ({
  name: loginName,
  path: side.loginPath,
  bodyFor: (name) => side.loginBody(name, 'not the password'),
  status: 401,
  // The limit is 100 failures for a network and 5 for an account.
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

/** An address of another account is known, any other is unknown. */
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
  if (status !== expected) throw new Error(`${question}: returned ${status} instead of ${expected}`)
  return milliseconds
}
