import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase, type EdgeReport, edgeAgentMax, edgeEnrolmentEndpoints } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { callFault } from './call-fault.ts'
import { checkRoom, readPointer, storeFile } from './installed.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { checkFile, checkFollows, compareVersions, verifyRelease } from './release.ts'
import { printable } from './report.ts'
import { callServer } from './server-call.ts'
import { readState, reasonOf, writeState } from './state.ts'
import { trialMark } from './supervisor.ts'

/** All times in milliseconds. */
interface DownloadLimits {
  /** A download without a further byte for this long has failed. A slow link needs long, but is not silent. */
  silence: number
  /** The longest time for one download with its repeats. */
  whole: number
  /** The pauses before the repeats of a download that was interrupted. */
  pauses: readonly number[]
}

const usualLimits: DownloadLimits = {
  silence: 60_000,
  whole: 3_600_000,
  pauses: [1000, 4000, 16_000, 60_000, 60_000],
}

/** A download that has ended for a reason of the connection. */
class Interrupted extends Error {}

/** A failed version is not tried again for this long, in milliseconds, unless a user asks for it. */
const pauseAfterFailure = 3_600_000

const isLately = (at: string) => Math.abs(Date.now() - Date.parse(at)) < pauseAfterFailure

interface Asked {
  onLine: (line: string) => void
  isAsked: boolean
  signal: AbortSignal
}

interface UpdatesParts {
  server: string
  stateFolder: string
  /** The version of the running file. */
  running: string
  /** Sends a message to the supervisor and settles with its answer. Undefined without a supervisor. */
  callSupervisor:
    | ((message: { type: 'healthy' } | { type: 'try'; version: string; sha256: string }) => Promise<void>)
    | undefined
  /** Informs the supervisor that the server answers. */
  noteReached: () => void
  /** Whether the running file is on trial. */
  isOnTrial: boolean
  limits?: DownloadLimits
}

/** Replaces the file of the agent by a newer one. */
export function createUpdates({
  server,
  stateFolder,
  running,
  callSupervisor,
  noteReached,
  isOnTrial,
  limits = usualLimits,
}: UpdatesParts) {
  let isBusy = isOnTrial
  let isHealthy = !isOnTrial
  let hasReached = false
  /** Why the last attempt to confirm this agent failed. */
  let lastFault = ''

  /** Downloads a file. A download that was interrupted starts again, with growing pauses. */
  async function get(path: string, signal: AbortSignal): Promise<Buffer> {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.whole)])
    let hasBegun = false
    const onByte = () => {
      hasBegun = true
    }
    for (const pause of limits.pauses) {
      try {
        return await getOnce(path, ended, onByte)
      } catch (error) {
        // A server that cannot be reached at all is reported immediately.
        if (!(error instanceof Interrupted) || !hasBegun || ended.aborted) throw error
      }
      // The last attempt reports why it was ended.
      await sleep(pause, undefined, { signal: ended }).catch(() => {})
    }
    return getOnce(path, ended, onByte)
  }

  async function getOnce(path: string, ended: AbortSignal, onByte: () => void): Promise<Buffer> {
    const silence = new AbortController()
    const late = new DOMException(`No byte has arrived for ${limits.silence / 1000} s`, 'TimeoutError')
    let timer: NodeJS.Timeout | undefined
    const expectByte = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(late), limits.silence)
    }
    const interrupted = (error: unknown) =>
      new Interrupted(`${server} cannot be reached: ${callFault(error, server)}`)
    expectByte()
    try {
      const answer = await callServer(server + apiBase + path, {
        signal: AbortSignal.any([ended, silence.signal]),
      }).catch((error: unknown) => {
        throw interrupted(error)
      })
      // The server redirects none of these calls.
      if (answer.status >= 300 && answer.status < 400)
        throw new Error(`${server} cannot be reached: ${proxyAnswer(answer.status)}`)
      if (!answer.ok || answer.body === null) throw new Error(`${path} answers with status ${answer.status}`)
      const body = (answer.body as ReadableStream<Uint8Array>).getReader()
      const chunks: Uint8Array[] = []
      for (let size = 0; ; ) {
        const { done, value } = await body.read().catch((error: unknown) => {
          throw interrupted(error)
        })
        if (done) return Buffer.concat(chunks)
        expectByte()
        onByte()
        size += value.length
        if (size > edgeAgentMax) {
          await body.cancel()
          throw new Error(`${path} is larger than ${edgeAgentMax} bytes`)
        }
        chunks.push(value)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async function install({ onLine, isAsked, signal }: Asked): Promise<string> {
    const state = await readState(stateFolder)
    if (callSupervisor === undefined || state?.releaseKey === undefined)
      throw new Error(
        'No release key was pinned at enrolment. Enrol this machine with a new code to update it.',
      )
    const release = jsonIn(await get(edgeEnrolmentEndpoints.release.path, signal))
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
    await checkRoom(stateFolder, manifest.sha256, manifest.size)
    const file = await get(edgeEnrolmentEndpoints.agent.path, signal)
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
      const [state, { failed }] = await Promise.all([
        // A state that cannot be read for now must not hide the rest of the report.
        readState(stateFolder).catch(() => undefined),
        readPointer(stateFolder),
      ])
      return {
        isReady: callSupervisor !== undefined && state?.releaseKey !== undefined,
        failed: failed && { ...failed, reason: printable(failed.reason, 300) },
      }
    },

    /** Called when the server has admitted or refused this agent. A server without its database does neither. */
    reached(): void {
      if (!hasReached) noteReached()
      hasReached = true
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
        (error: unknown) => {
          // The disk may be full. The next answer of the server confirms the agent again.
          isHealthy = false
          const line = `The new agent could not be confirmed: ${reasonOf(error)}`
          if (line !== lastFault) writeLog(line)
          lastFault = line
        },
      )
    },

    /**
     * Fetches the server's agent, verifies it and has the supervisor start it as a trial when the worker restarts.
     * Returns its version. A version that failed recently is tried again only if `isAsked`. `signal` ends a download.
     *
     * @throws {Error} if no trusted release follows the running version.
     */
    async fetch(asked: Asked): Promise<string> {
      if (isBusy) throw new Error('An update of this agent is under way')
      isBusy = true
      try {
        return await install(asked)
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
    noteReached: () => void process.send?.({ type: 'reached' }),
    callSupervisor: process.send === undefined ? undefined : sendToSupervisor,
  })
