import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, type BodyOf, edgeEnrolmentEndpoints, z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import type { Arguments } from './arguments.ts'
import { callFault } from './call-fault.ts'
import { exitCodes, Failure, isPassing } from './exit-codes.ts'
import { identifyMachine } from './machine.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { callServer } from './server-call.ts'
import { prepareFolder, readState, reasonOf, type State, writeState } from './state.ts'
import { version } from './version.ts'

const callTimeout = 15_000

/** Milliseconds between two attempts. They never end: the network or the server may come hours after the machine. */
const firstPause = 1000
const longestPause = 30_000

const digest = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest('hex')

/** Returns this machine's identity: the stored one, or a new one from the code. @throws {Failure} */
export async function becomeEdge({
  server,
  code,
  stateFolder,
}: Pick<Arguments, 'server' | 'code' | 'stateFolder'>): Promise<State> {
  const before = await readState(stateFolder)
  const isUsed = code !== undefined && before?.usedCode === digest(code)
  if (before !== undefined && (code === undefined || isUsed)) {
    if (server === undefined || server === before.server) return before
    // The server's address has changed, but its token is the same.
    const moved = { ...before, server }
    await writeState(stateFolder, moved)
    return moved
  }
  if (code === undefined || server === undefined)
    throw new Failure(
      exitCodes.usage,
      'This machine is not enrolled yet. Start the agent with --server URL and --code CODE from the Edges app.\nSee --help.',
    )
  await prepareFolder(stateFolder)
  const { edge, label, token, releaseKey, isWaiting } = await untilDone(() => redeem(server, code))
  const state = { server, edge, token, usedCode: digest(code), releaseKey }
  // The code has been used up, so the token must not be lost because of a disk that is full for now.
  await untilDone(() => writeState(stateFolder, state))
  writeLog(
    isWaiting === true
      ? `This machine awaits approval as "${label}" in the Edges app of ${server}.`
      : `This machine is now the edge "${label}" of ${server}.`,
  )
  return state
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
    // Randomised, so that a thousand machines of one image do not enrol at the same time.
    await sleep(pause * (0.5 + Math.random()))
  }
}

const redeem = (server: string, code: string) =>
  call(server, code).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    throw new Failure(exitCodes.fault, `${server} cannot be reached (${callFault(error, server)})`)
  })

async function call(server: string, code: string) {
  const { reply } = edgeEnrolmentEndpoints.redeem
  const first = await send(server, { code, machine: await identifyMachine(), version })
  // A server of an earlier release rejects the fields that it does not know.
  const response = first.status === 400 ? await send(server, { code }) : first
  const { status } = response
  // Too many attempts from this network are no reason to give up.
  if (status >= 500 || status === 429) throw new Error(`it answers with status ${status}`)
  const body: unknown = await response.json().catch(() => undefined)
  const accepted = reply.safeParse(body)
  if (response.ok && accepted.success) return accepted.data
  const refusal = errorReply.safeParse(body)
  if (!response.ok && refusal.success)
    throw new Failure(exitCodes.refused, `${server} rejected the code: ${refusal.data.message}`)
  throw new Error(proxyAnswer(status))
}

/** Gateways also reject with JSON, but without these two texts. */
const errorReply = z.object({ code: z.string(), message: z.string() })

function send(server: string, body: BodyOf<typeof edgeEnrolmentEndpoints.redeem>): Promise<Response> {
  const { method, path } = edgeEnrolmentEndpoints.redeem
  return callServer(server + apiBase + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeout),
  })
}
