import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface RunningProcess {
  pid: number
  group: number
  session: number
  /** Whether it has ended, and its parent has not noticed it yet. In a container without an init it may stay so. */
  isZombie: boolean
  /** Ticks from the start of the machine to the start of the process. */
  startedAt: number
}

/** Returns undefined if the process has ended, or if the system does not report it. */
export async function processOf(pid: number, root = '/proc'): Promise<RunningProcess | undefined> {
  const stat = await textOf(root, pid, 'stat')
  if (stat === '') return undefined
  // The name before it may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [group = 0, session = 0, startedAt = 0] = [fields[2], fields[3], fields[19]].map(Number)
  return { pid, group, session, isZombie: fields[0] === 'Z', startedAt }
}

/** Returns the processes of a group that run; none if the system does not report them. */
export async function membersOf(group: number, root = '/proc'): Promise<RunningProcess[]> {
  const names = (await readdir(root).catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found: RunningProcess[] = []
  for (const name of names) {
    const one = await processOf(Number(name), root)
    if (one?.group === group && !one.isZombie) found.push(one)
  }
  return found
}

/** Returns an empty text if the process has ended, or belongs to another user. */
export const textOf = (root: string, pid: number, file: string): Promise<string> =>
  readFile(join(root, String(pid), file), 'utf8').catch(() => '')
