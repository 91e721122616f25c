import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, type BodyOf, edgeEnrolmentEndpoints, z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import type { Arguments } from './arguments.ts'
import { exitCodes, Failure } from './exit-codes.ts'
import { identifyMachine } from './machine.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { prepareFolder, readState, reasonOf, type State, writeState } from './state.ts'
import { version } from './version.ts'

const callTimeout = 15_000
const retryPause = 3000
const retries = 10

const digest = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest('hex')

/** Returns this machine's identity: the stored one, or a new one from the code. @throws {Failure} */
export async function becomeEdge({
  server,
  code,
  stateFolder,
}: Omit<Arguments, 'configFile'>): Promise<State> {
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
  const { edge, label, token, releaseKey, isWaiting } = await redeem(server, code)
  const state = { server, edge, token, usedCode: digest(code), releaseKey }
  await writeState(stateFolder, state)
  writeLog(
    isWaiting === true
      ? `This machine awaits approval as "${label}" in the Edges app of ${server}.`
      : `This machine is now the edge "${label}" of ${server}.`,
  )
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
    writeLog(`${server} cannot be reached (${answer}); retrying`)
    await sleep(retryPause)
  }
}

async function call(server: string, code: string) {
  const { reply } = edgeEnrolmentEndpoints.redeem
  const first = await send(server, { code, machine: await identifyMachine(), version })
  // A server of an earlier release rejects the fields that it does not know.
  const response = first.status === 400 ? await send(server, { code }) : first
  const { status } = response
  if (status >= 500) throw new Error(`status ${status}`)
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
  return fetch(server + apiBase + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeout),
    // A code must reach only the server for which it was entered.
    redirect: 'manual',
  })
}
