import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, edgeEnrolmentEndpoints } from '@pult/contract'
import type { Arguments } from './arguments.ts'
import { exitCodes, Failure } from './exit-codes.ts'
import { say } from './say.ts'
import { prepareFolder, readState, reasonOf, type State, writeState } from './state.ts'

const callTimeout = 15_000
const retryPause = 3000
const retries = 10

const digest = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest('hex')

/** What this machine is: what it was before, or what the code makes of it. @throws {Failure} */
export async function becomeEdge({ server, code, stateFolder }: Arguments): Promise<State> {
  const before = await readState(stateFolder)
  const isUsed = code !== undefined && before?.usedCode === digest(code)
  if (before !== undefined && (code === undefined || isUsed)) {
    if (server === undefined || server === before.server) return before
    // The server has another address now; its token is the same.
    const moved = { ...before, server }
    await writeState(stateFolder, moved)
    return moved
  }
  if (code === undefined || server === undefined)
    throw new Failure(
      exitCodes.usage,
      'This machine is no edge yet: start the agent with --server URL and --code CODE, as the Edges app shows them.\nSee --help.',
    )
  await prepareFolder(stateFolder)
  const { edge, label, token } = await redeem(server, code)
  const state = { server, edge, token, usedCode: digest(code) }
  await writeState(stateFolder, state)
  say(`This machine is the edge "${label}" of ${server} now.`)
  return state
}

async function redeem(server: string, code: string) {
  for (let tries = 1; ; tries += 1) {
    const answer = await call(server, code).catch((error: unknown) => {
      if (error instanceof Failure) throw error
      return reasonOf(error)
    })
    if (typeof answer !== 'string') return answer
    if (tries > retries) throw new Failure(exitCodes.fault, `${server} cannot be reached: ${answer}`)
    say(`${server} cannot be reached (${answer}); trying again`)
    await sleep(retryPause)
  }
}

async function call(server: string, code: string) {
  const { method, path, reply } = edgeEnrolmentEndpoints.redeem
  const response = await fetch(server + apiBase + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    signal: AbortSignal.timeout(callTimeout),
    // A code is for the server that it was typed for alone.
    redirect: 'error',
  })
  if (response.status >= 500) throw new Error(`status ${response.status}`)
  const body: unknown = await response.json()
  if (!response.ok)
    throw new Failure(exitCodes.refused, `${server} does not take the code: ${messageOf(body)}`)
  return reply.parse(body)
}

const messageOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : 'unknown answer'
