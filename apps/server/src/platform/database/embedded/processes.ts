import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { runProgram } from './program.ts'

/** Linux exposes processes as files; elsewhere `ps` lists them. */
const hasProc = process.platform === 'linux'

/** Returns the command line; empty for a process that does not exist or is a zombie. */
async function commandLine(pid: number): Promise<string> {
  if (!hasProc) return (await runProgram('ps', ['-p', String(pid), '-o', 'command='])).stdout.trim()
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.replaceAll('\0', ' ').trim()
}

async function allCommandLines(): Promise<[pid: number, commandLine: string][]> {
  if (!hasProc) {
    const { stdout } = await runProgram('ps', ['-A', '-o', 'pid=,command='])
    return [...stdout.matchAll(/^[ \t]*(\d+)[ \t]+(.*)$/gm)].map(([, pid, line = '']) => [Number(pid), line])
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  return Promise.all(pids.map(async (pid): Promise<[number, string]> => [pid, await commandLine(pid)]))
}

/** Returns whether the process is the postmaster of these database files, and not another program with a reused id. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  const line = await commandLine(pid)
  if (servesCluster(line, cluster)) return true
  // A manual start may use another path, but its working directory is the folder.
  return hasProc && isServer(line) && (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
}

const isServer = (line: string) => /^(?:.*\/)?(?:postgres|postmaster)(?: |$)/.test(line)
const servesCluster = (line: string, cluster: string) =>
  isServer(line) && `${line} `.includes(` -D ${cluster} `)

/** Returns the postmaster of these database files when its pid file does not name it. */
export async function findPostmaster(cluster: string): Promise<number | undefined> {
  return (await allCommandLines()).find(([, line]) => servesCluster(line, cluster))?.[0]
}

/**
 * Ends orphaned children of a killed postmaster. They notice its end only when they wait, and a long query would
 * block the next postmaster. No data is lost, because acknowledged writes are in the log.
 */
export async function killOrphans(clusterName: string, cluster: string): Promise<void> {
  const owner = await stat(cluster)
  for (const [pid, line] of await allCommandLines()) {
    // PostgreSQL shows the cluster's name in its process titles.
    if (!line.startsWith(`postgres: ${clusterName}: `)) continue
    if (hasProc && (await stat(`/proc/${pid}`).catch(() => undefined))?.uid !== owner.uid) continue
    trySignal(pid, 'SIGKILL')
  }
}

/** Returns false if the process no longer exists. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
