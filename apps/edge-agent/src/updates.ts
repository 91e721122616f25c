import { apiBase, type EdgeReport, edgeAgentMax, edgeEnrolmentEndpoints } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { readPointer, storeFile } from './installed.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { checkFile, checkFollows, compareVersions, verifyRelease } from './release.ts'
import { printable } from './report.ts'
import { readState, reasonOf, writeState } from './state.ts'
import { trialMark } from './supervisor.ts'

/** Timeout of each of the two downloads, in milliseconds. */
const callTimeout = 60_000

/** A failed version is not tried again for this long, in milliseconds, unless a user asks for it. */
const pauseAfterFailure = 3_600_000

const isLately = (at: string) => Math.abs(Date.now() - Date.parse(at)) < pauseAfterFailure

interface UpdatesParts {
  server: string
  stateFolder: string
  /** The version of the running file. */
  running: string
  /** Sends a message to the supervisor and settles with its answer. Undefined without a supervisor. */
  callSupervisor:
    | ((message: { type: 'healthy' } | { type: 'try'; version: string; sha256: string }) => Promise<void>)
    | undefined
  /** Whether the running file is on trial. */
  isOnTrial: boolean
}

/** Replaces the file of the agent by a newer one. */
export function createUpdates({ server, stateFolder, running, callSupervisor, isOnTrial }: UpdatesParts) {
  let isBusy = isOnTrial
  let isHealthy = !isOnTrial

  async function get(path: string): Promise<Buffer> {
    const answer = await fetch(server + apiBase + path, {
      signal: AbortSignal.timeout(callTimeout),
      redirect: 'manual',
    })
    // The server redirects none of these calls.
    if (answer.status >= 300 && answer.status < 400)
      throw new Error(`${server} cannot be reached: ${proxyAnswer(answer.status)}`)
    if (!answer.ok || answer.body === null) throw new Error(`${path} answers with status ${answer.status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > edgeAgentMax) throw new Error(`${path} is larger than ${edgeAgentMax} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  async function install(onLine: (line: string) => void, isAsked: boolean): Promise<string> {
    const state = await readState(stateFolder)
    if (callSupervisor === undefined || state?.releaseKey === undefined)
      throw new Error(
        'No release key was pinned at enrolment. Enrol this machine with a new code to update it.',
      )
    const release = jsonIn(await get(edgeEnrolmentEndpoints.release.path))
    if (release === undefined) throw new Error(`${server} cannot be reached: ${proxyAnswer(200)}`)
    const { manifest, key } = verifyRelease(release, state.releaseKey)
    checkFollows(manifest, running)
    const { newest, failed } = await readPointer(stateFolder)
    if (newest !== null && compareVersions(manifest.version, newest) < 0)
      throw new Error(
        `Version ${manifest.version} is older than ${newest}, which this machine has already tried`,
      )
    if (!isAsked && failed?.version === manifest.version && isLately(failed.at))
      throw new Error(`Version ${manifest.version} failed on this machine: ${failed.reason}`)
    const file = await get(edgeEnrolmentEndpoints.agent.path)
    checkFile(manifest, file)
    onLine(`Agent ${manifest.version}: ${file.length} bytes, signature and hash are valid`)
    if (key !== state.releaseKey) await writeState(stateFolder, { ...state, releaseKey: key })
    await storeFile(stateFolder, manifest.sha256, file)
    await callSupervisor({ type: 'try', version: manifest.version, sha256: manifest.sha256 })
    return manifest.version
  }

  return {
    /** Reports whether this agent can replace itself, and why it returned to its former file. */
    async report(): Promise<NonNullable<EdgeReport['update']>> {
      const [state, { failed }] = await Promise.all([readState(stateFolder), readPointer(stateFolder)])
      return {
        isReady: callSupervisor !== undefined && state?.releaseKey !== undefined,
        failed: failed && { ...failed, reason: printable(failed.reason, 300) },
      }
    },

    /**
     * Called when the server has admitted this agent and accepted a report: a file on trial becomes the current one.
     */
    confirm(): void {
      if (isHealthy || callSupervisor === undefined) return
      isHealthy = true
      callSupervisor({ type: 'healthy' }).then(
        () => {
          isBusy = false
          writeLog(`Agent ${running} is healthy and is now in use`)
        },
        (error: unknown) => writeLog(`The new agent could not be confirmed: ${reasonOf(error)}`),
      )
    },

    /**
     * Fetches the server's agent, verifies it and has the supervisor start it as a trial when the worker restarts.
     * Returns its version. A version that failed recently is tried again only if `isAsked`.
     *
     * @throws {Error} if no trusted release follows the running version.
     */
    async fetch({ onLine, isAsked }: { onLine: (line: string) => void; isAsked: boolean }): Promise<string> {
      if (isBusy) throw new Error('An update of this agent is under way')
      isBusy = true
      try {
        return await install(onLine, isAsked)
      } finally {
        isBusy = false
      }
    },
  }
}
export type Updates = ReturnType<typeof createUpdates>

/** Undefined for a page of a proxy. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Sends a message to the supervisor, which answers with `done` or a reason. */
async function sendToSupervisor(message: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAnswer = (answer: unknown) => (answer === 'done' ? resolve() : reject(new Error(String(answer))))
  const onEnd = () => reject(new Error('The supervisor has ended'))
  process.once('message', onAnswer)
  process.once('disconnect', onEnd)
  process.send?.(message)
  try {
    await promise
  } finally {
    process.off('message', onAnswer)
    process.off('disconnect', onEnd)
  }
}

/** Creates the updates of a worker that runs under a supervisor. */
export const createWorkerUpdates = (
  parts: Pick<UpdatesParts, 'server' | 'stateFolder' | 'running'>,
): Updates =>
  createUpdates({
    ...parts,
    isOnTrial: process.env[trialMark] === '1',
    callSupervisor: process.send === undefined ? undefined : sendToSupervisor,
  })
