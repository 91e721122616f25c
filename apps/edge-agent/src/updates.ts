import { apiBase, type EdgeReport, edgeAgentMax, edgeEnrolmentEndpoints } from '@pult/contract'
import { readPointer, storeFile } from './installed.ts'
import { checkFile, checkFollows, compareVersions, verifyRelease } from './release.ts'
import { printable } from './report.ts'
import { say } from './say.ts'
import { readState, reasonOf, writeState } from './state.ts'
import { trialMark } from './supervisor.ts'

/** Milliseconds for each of the two downloads. */
const callTimeout = 60_000

/** A file that failed is not loaded again for this long, in milliseconds, unless it was asked for. */
const pauseAfterFailure = 3_600_000

const isLately = (at: string) => Math.abs(Date.now() - Date.parse(at)) < pauseAfterFailure

interface UpdatesParts {
  server: string
  stateFolder: string
  /** The version of the running file. */
  running: string
  /** Hands a message to the supervisor and settles with its answer. Undefined if there is none. */
  tell:
    | ((message: { type: 'healthy' } | { type: 'try'; version: string; sha256: string }) => Promise<void>)
    | undefined
  /** Whether the running file has not been healthy yet. */
  isOnTrial: boolean
}

/** The part of an agent that replaces its file. */
export function createUpdates({ server, stateFolder, running, tell, isOnTrial }: UpdatesParts) {
  let isBusy = isOnTrial
  let isHealthy = !isOnTrial

  async function get(path: string): Promise<Buffer> {
    const answer = await fetch(server + apiBase + path, {
      signal: AbortSignal.timeout(callTimeout),
      redirect: 'error',
    })
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
    if (tell === undefined || state?.releaseKey === undefined)
      throw new Error('No key of releases was pinned at the enrolment: a new code changes that')
    const release = (await get(edgeEnrolmentEndpoints.release.path)).toString()
    const { manifest, key } = verifyRelease(JSON.parse(release), state.releaseKey)
    checkFollows(manifest, running)
    const { newest, failed } = await readPointer(stateFolder)
    if (newest !== null && compareVersions(manifest.version, newest) < 0)
      throw new Error(`Version ${manifest.version} is older than ${newest}, which was here before`)
    if (!isAsked && failed?.version === manifest.version && isLately(failed.at))
      throw new Error(`Version ${manifest.version} was given up: ${failed.reason}`)
    const file = await get(edgeEnrolmentEndpoints.agent.path)
    checkFile(manifest, file)
    onLine(`Agent ${manifest.version}: ${file.length} bytes, signature and hash are right`)
    if (key !== state.releaseKey) await writeState(stateFolder, { ...state, releaseKey: key })
    await storeFile(stateFolder, manifest.sha256, file)
    await tell({ type: 'try', version: manifest.version, sha256: manifest.sha256 })
    return manifest.version
  }

  return {
    /** Reports whether this agent can replace itself, and why it went back to its former file. */
    async report(): Promise<NonNullable<EdgeReport['update']>> {
      const [state, { failed }] = await Promise.all([readState(stateFolder), readPointer(stateFolder)])
      return {
        isReady: tell !== undefined && state?.releaseKey !== undefined,
        failed: failed && { ...failed, reason: printable(failed.reason, 300) },
      }
    },

    /** The server has welcomed this agent and accepted a report of it: a file on trial stays. */
    confirm(): void {
      if (isHealthy || tell === undefined) return
      isHealthy = true
      tell({ type: 'healthy' }).then(
        () => {
          isBusy = false
          say(`Agent ${running} is healthy and stays`)
        },
        (error: unknown) => say(`The new agent could not be kept: ${reasonOf(error)}`),
      )
    },

    /**
     * Fetches the server's agent, verifies it and has the supervisor try it at the next start of the worker. Returns
     * its version. A version that failed lately is tried again only if it was asked for.
     *
     * @throws {Error} if there is no release to be trusted that follows the running version.
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

/** Hands a message to the supervisor, which answers with `done` or a reason. */
async function tellSupervisor(message: object): Promise<void> {
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

/** The updates of a worker that a supervisor has started. */
export const createWorkerUpdates = (
  parts: Pick<UpdatesParts, 'server' | 'stateFolder' | 'running'>,
): Updates =>
  createUpdates({
    ...parts,
    isOnTrial: process.env[trialMark] === '1',
    tell: process.send === undefined ? undefined : tellSupervisor,
  })
