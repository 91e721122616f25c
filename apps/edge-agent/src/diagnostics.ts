import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { apiBase, type EdgeReport, edgeEnrolmentEndpoints, systemEndpoints } from '@pult/contract'
import { lastLines } from './agent-log.ts'
import { callFault } from './call-fault.ts'
import { proxyFor } from './proxy.ts'
import { proxyAnswer } from './proxy-answer.ts'
import { checkFile, checkFollows, compareVersions, verifyRelease } from './release.ts'
import { hostOf } from './server-address.ts'
import { callServer } from './server-call.ts'

const callTimeout = 5000
const calls = 5

interface Surroundings {
  server: string
  version: string
  releaseKey: string | undefined
  report: EdgeReport
  /** Number of connections since the agent started. */
  connections: number
}

/** Checks this machine and its connection to the server, and reports the findings. Returns a one-line summary. */
export async function diagnose(
  { server, version, releaseKey, report, connections }: Surroundings,
  onLine: (line: string) => void,
): Promise<string> {
  const problems: string[] = []
  const problem = (text: string) => {
    problems.push(text)
    onLine(`Problem: ${text}`)
  }

  onLine(`Agent ${version}, Node ${process.version}, ${report.platform}, host ${report.hostname}`)
  onLine(
    `Machine up for ${duration(report.uptime)}, agent for ${duration(report.agentUptime)}, ${connections} connection(s)`,
  )
  const isKnown = (part: string) => report.missing?.[part] === undefined
  if (isKnown('load')) {
    onLine(`Load ${report.load.join(' ')} on ${report.cores} core(s)`)
    if (report.load[1] > report.cores * 2)
      problem('the load of the last 5 minutes is more than twice the cores')
  }
  if (isKnown('memory')) {
    onLine(`Memory ${share(report.memory)}`)
    if (report.memory.free < report.memory.total * 0.05) problem('less than 5 % of the memory is free')
  }
  onLine(report.disk === null ? 'Disk: unknown' : `Disk ${share(report.disk)}`)
  if (report.disk !== null && report.disk.free < report.disk.total * 0.1)
    problem('less than 10 % of the disk is free')
  if (isKnown('addresses')) onLine(`Addresses ${report.addresses.join(', ') || 'none'}`)
  for (const [part, reason] of Object.entries(report.missing ?? {})) onLine(`${part} unknown: ${reason}`)

  const { host } = hostOf(server)
  const proxy = proxyFor(server)
  // The proxy looks up the name, which this machine may not know.
  if (proxy !== undefined) onLine(`Calls to ${server} use the proxy ${proxy.name}`)
  else if (isIP(host) === 0) {
    const found = await lookup(host, { all: true }).catch((error: unknown) => callFault(error, server))
    if (typeof found === 'string') problem(`the name ${host} cannot be resolved: ${found}`)
    else onLine(`${host} resolves to ${found.map(({ address }) => address).join(', ')}`)
  }

  const times: number[] = []
  for (let index = 0; index < calls; index += 1) {
    const from = performance.now()
    const answer = await callServer(server + apiBase + systemEndpoints.live.path, {
      signal: AbortSignal.timeout(callTimeout),
    }).catch((error: unknown) => callFault(error, server))
    if (typeof answer === 'string') {
      problem(`${server} does not answer: ${answer}`)
      continue
    }
    const body: unknown = await answer.json().catch(() => undefined)
    if (!systemEndpoints.live.reply.safeParse(body).success) {
      problem(`${server} does not answer: ${proxyAnswer(answer.status)}`)
      continue
    }
    times.push(performance.now() - from)
    if (index === calls - 1) compareClocks(answer.headers.get('date'), { onLine, problem })
  }
  if (times.length > 0)
    onLine(`${server} answers in ${times.map((time) => `${time.toFixed(0)} ms`).join(', ')}`)

  if (times.length > 0) {
    const release = await lookAtRelease(server, version, releaseKey).catch((error: unknown) =>
      problem(`the agent that ${server} serves failed verification: ${callFault(error, server)}`),
    )
    if (typeof release === 'string') onLine(release)
  }

  for (const { key, label, state } of report.instances) {
    onLine(`Instance ${label} (${key}): ${state}`)
    if (state === 'stopped') problem(`${label} is not running`)
  }
  const { driver, reason, devices } = report.decks
  onLine(`Stream Decks: driver ${driver}${reason === null ? '' : ` (${reason})`}, ${devices.length} attached`)
  for (const deck of devices) {
    onLine(`  ${deck.model} ${deck.serial}, firmware ${deck.firmware}`)
    if (deck.problem !== null) problem(`${deck.model} ${deck.serial}: ${deck.problem}`)
  }
  onLine('Latest log lines of the agent:')
  for (const line of lastLines().slice(-20)) onLine(`  ${line}`)
  return problems.length === 0
    ? 'No problems found.'
    : `${problems.length} problem(s): ${problems.join('; ')}`
}

/**
 * Checks the agent that the server serves against the pinned key.
 *
 * @throws {Error} if its signatures or its file are invalid.
 */
async function lookAtRelease(
  server: string,
  version: string,
  releaseKey: string | undefined,
): Promise<string> {
  if (releaseKey === undefined)
    return 'Agent of the server: not checked, because no key was pinned at enrolment; enrol with a new code to check it'
  const get = (path: string) =>
    callServer(server + apiBase + path, { signal: AbortSignal.timeout(callTimeout) })
  const answer = await get(edgeEnrolmentEndpoints.release.path)
  // A server of an older release of Pult, or one without a built agent.
  if (answer.status === 404) return 'Agent of the server: not signed'
  const release: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok || release === undefined) throw new Error(proxyAnswer(answer.status))
  const { manifest } = verifyRelease(release, releaseKey)
  const file = await get(edgeEnrolmentEndpoints.agent.path)
  checkFile(manifest, Buffer.from(await file.arrayBuffer()))
  const named = `Agent of the server: ${manifest.version}, signed`
  const order = compareVersions(manifest.version, version)
  if (order <= 0) return `${named}, ${order === 0 ? 'the same version' : 'older than this one'}`
  checkFollows(manifest, version)
  return `${named}, newer than this one`
}

/** Certificates and logs need synchronised clocks. The server's header has a resolution of one second. */
function compareClocks(
  date: string | null,
  { onLine, problem }: { onLine: (line: string) => void; problem: (text: string) => void },
): void {
  const there = Date.parse(date ?? '')
  if (Number.isNaN(there)) return
  const seconds = Math.round((Date.now() - there) / 1000)
  onLine(`This machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the server's`)
  if (Math.abs(seconds) > 30) problem('the clocks of this machine and of the server differ by more than 30 s')
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

const share = ({ total, free }: { total: number; free: number }) =>
  `${gigabytes(total - free)} of ${gigabytes(total)} used`

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${seconds} s`
  if (minutes < 120) return `${minutes} min`
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}
