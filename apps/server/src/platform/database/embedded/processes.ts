import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { runProgram } from './program.ts'

/** Linux tells about processes in files; elsewhere `ps` does. */
const hasProc = process.platform === 'linux'

/** Empty for a process that does not exist, or that ended and waits for its parent to notice. */
async function commandLine(pid: number): Promise<string> {
  if (!hasProc) return (await runProgram('ps', ['-p', String(pid), '-o', 'command='])).stdout.trim()
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.replaceAll('\0', ' ').trim()
}

async function allCommandLines(): Promise<[pid: number, commandLine: string][]> {
  if (!hasProc) {
    const { stdout } = await runProgram('ps', ['-A', '-o', 'pid=,command='])
    return [...stdout.matchAll(/^\s*(\d+)\s+(.*)$/gm)].map(([, pid, line = '']) => [Number(pid), line])
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  return Promise.all(pids.map(async (pid): Promise<[number, string]> => [pid, await commandLine(pid)]))
}

/** Whether the process is the postmaster of just these database files, and not another one that got the number. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  const line = await commandLine(pid)
  if (servesCluster(line, cluster)) return true
  // Started by hand through another path: it works in the folder all the same.
  return hasProc && isServer(line) && (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
}

const isServer = (line: string) => /^(?:.*\/)?(?:postgres|postmaster)(?: |$)/.test(line)
const servesCluster = (line: string, cluster: string) =>
  isServer(line) && `${line} `.includes(` -D ${cluster} `)

/** The postmaster of these database files, when its pid file does not lead there. */
export async function findPostmaster(cluster: string): Promise<number | undefined> {
  return (await allCommandLines()).find(([, line]) => servesCluster(line, cluster))?.[0]
}

/**
 * Ends what a killed postmaster left: its children notice its end only when they wait, and a long query would keep the
 * next postmaster from starting. Nothing of theirs survives but the log, which they wrote out before they acknowledged.
 */
export async function killOrphans(clusterName: string, cluster: string): Promise<void> {
  const owner = await stat(cluster)
  for (const [pid, line] of await allCommandLines()) {
    // PostgreSQL shows the cluster's name in the titles of its processes.
    if (!line.startsWith(`postgres: ${clusterName}: `)) continue
    if (hasProc && (await stat(`/proc/${pid}`).catch(() => undefined))?.uid !== owner.uid) continue
    trySignal(pid, 'SIGKILL')
  }
}

/** False when there is no such process any more. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
