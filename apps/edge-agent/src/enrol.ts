import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, type BodyOf, edgeEnrolmentEndpoints, type ReplyOf, z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import type { Arguments } from './arguments.ts'
import { callFault } from './call-fault.ts'
import { exitCodes, Failure, isPassing } from './exit-codes.ts'
import { type LongPauses, longerPause, randomised, usualLongPauses } from './long-pauses.ts'
import { identifyMachine } from './machine.ts'
import { forgetPending, pendingToken } from './pending-token.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { callServer } from './server-call.ts'
import { prepareFolder, readState, reasonOf, type State, writeNextState, writeState } from './state.ts'
import { version } from './version.ts'

const callTimeout = 15_000

/** Milliseconds between two attempts. They never end: the network or the server may come hours after the machine. */
const firstPause = 1000
const longestPause = 30_000

const digest = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest('hex')

interface Surroundings {
  /** Whether a user sees the answer, and enters another code. */
  isTerminal?: boolean
  longPauses?: LongPauses
}

/** Returns this machine's identity: the stored one, or a new one from the code. @throws {Failure} */
export async function becomeEdge(
  { server, code, stateFolder }: Pick<Arguments, 'server' | 'code' | 'stateFolder'>,
  { isTerminal = process.stdout.isTTY, longPauses = usualLongPauses }: Surroundings = {},
): Promise<State> {
  const before = await readState(stateFolder)
  const isUsed = code !== undefined && before?.usedCode === digest(code)
  if (before !== undefined && (code === undefined || isUsed)) {
    // The power may have failed before the agent deleted it.
    await forgetPending(stateFolder, before.usedCode)
    if (server === undefined || server === before.server) return before
    // The server's address has changed, but its token is the same.
    const moved = { ...before, server }
    await writeNextState(stateFolder, moved)
    return moved
  }
  if (code === undefined || server === undefined)
    throw new Failure(
      exitCodes.usage,
      'This machine is not enrolled yet. Start the agent with --server URL and --code CODE from the Edges app.\nSee --help.',
    )
  return enrol({ server, code, stateFolder, before }, { isTerminal, longPauses })
}

interface Enrolment {
  server: string
  code: string
  stateFolder: string
  before: State | undefined
}

async function enrol(
  { server, code, stateFolder, before }: Enrolment,
  { isTerminal, longPauses }: Required<Surroundings>,
): Promise<State> {
  // The worker of an edge may be writing the file with which this is checked.
  if (before === undefined) await prepareFolder(stateFolder)
  const store = before === undefined ? writeState : writeNextState
  const usedCode = digest(code)
  const own = await untilDone(() => pendingToken(stateFolder, { server, code: usedCode }))
  let refused: string | undefined
  for (let pause = longPauses.first; ; pause = longerPause(pause, longPauses)) {
    const answer = await untilDone(() => redeem(server, code, own))
    if ('token' in answer) {
      const { edge, label, token, releaseKey, isWaiting } = answer
      const state = { server, edge, token, usedCode, releaseKey }
      // The code has been used up, so the token must not be lost because of a disk that is full for now.
      await untilDone(() => store(stateFolder, state))
      await forgetPending(stateFolder, usedCode)
      writeLog(
        isWaiting === true
          ? `This machine awaits approval as "${label}" in the Edges app of ${server}.`
          : `This machine is now the edge "${label}" of ${server}.`,
      )
      return state
    }
    const reason = `${server} rejected the code: ${answer.message}`
    // A user can delete another edge meanwhile.
    if (isTerminal && answer.code !== 'TOO_MANY_EDGES') throw new Failure(exitCodes.refused, reason)
    // The service still names an old code, or a wrong one: the machine remains the edge that it is.
    if (before?.server === server && answer.code !== 'TOO_MANY_EDGES') {
      writeLog(`${reason}. This machine remains the edge that it is`)
      return before
    }
    if (reason !== refused) writeLog(`${reason}. The agent asks again after growing pauses of up to an hour`)
    refused = reason
    const other = await enrolledMeanwhile(stateFolder, before, randomised(pause), longPauses.look)
    if (other !== undefined) return other
  }
}

/** Waits, or until another agent has enrolled this machine. Returns its state. */
async function enrolledMeanwhile(
  stateFolder: string,
  before: State | undefined,
  time: number,
  look: number,
): Promise<State | undefined> {
  const until = performance.now() + time
  while (performance.now() < until) {
    await sleep(Math.min(look, until - performance.now()))
    const state = await readState(stateFolder).catch(() => undefined)
    if (state !== undefined && state.token !== before?.token) return state
  }
  return undefined
}

/** Repeats a step until it succeeds or cannot succeed without a user. Logs each new reason. */
async function untilDone<Result>(step: () => Promise<Result>): Promise<Result> {
  let last: string | undefined
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await step()
    } catch (error) {
      if (!isPassing(error)) throw error
      const reason = reasonOf(error)
      if (reason !== last) writeLog(`${reason}; retrying`)
      last = reason
    }
    // A thousand machines of one image do not enrol at the same time.
    await sleep(randomised(pause))
  }
}

const redeem = (server: string, code: string, token: string) =>
  call(server, code, token).catch((error: unknown) => {
    throw new Failure(exitCodes.fault, `${server} cannot be reached (${callFault(error, server)})`)
  })

type Redeemed = ReplyOf<typeof edgeEnrolmentEndpoints.redeem>

async function call(server: string, code: string, token: string): Promise<Redeemed | Refusal> {
  let response = await send(server, { code, token, machine: await identifyMachine(), version })
  // A server of an earlier release rejects the fields that it does not know, and makes the token itself.
  if (response.status === 400) response = await send(server, { code, token })
  if (response.status === 400) response = await send(server, { code })
  const { status } = response
  // Too many attempts from this network are no reason to give up.
  if (status >= 500 || status === 429) throw new Error(`it answers with status ${status}`)
  const body: unknown = await response.json().catch(() => undefined)
  const answer = (response.ok ? edgeEnrolmentEndpoints.redeem.reply : refusal).safeParse(body)
  if (answer.success) return answer.data
  throw new Error(proxyAnswer(status))
}

/** The answers of a server that a user has to change. Gateways also reject with JSON of this form, but with other codes. */
const refusal = z.object({
  // The server does not accept a code of more than 100 characters.
  code: z.enum(['EDGE_CODE_NOT_VALID', 'TOO_MANY_EDGES', 'VALIDATION_FAILED']),
  message: z.string(),
})
type Refusal = z.infer<typeof refusal>

function send(server: string, body: BodyOf<typeof edgeEnrolmentEndpoints.redeem>): Promise<Response> {
  const { method, path } = edgeEnrolmentEndpoints.redeem
  return callServer(server + apiBase + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeout),
  })
}
