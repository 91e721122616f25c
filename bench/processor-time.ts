import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** Processor times of a process, in ticks. */
interface ProcessStat {
  parent: number
  /** User and system time of the process. */
  own: number
  /** User and system time of ended children that the process has waited for. */
  endedChildren: number
}

/** Returns undefined for an ended process. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function statOf(pid: number): Promise<ProcessStat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (index: number) => Number(fields[index])
  return { parent: field(1), own: field(11) + field(12), endedChildren: field(13) + field(14) }
}

/** Returns the processor time of a process since its start, without its children. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await statOf(pid)
  if (stat === undefined) throw new Error(`The process ${pid} has ended`)
  return stat.own / ticksPerSecond
}

/** Returns the processor time of a process and all its descendants, including ended ones. */
export async function familySeconds(pid: number): Promise<number> {
  for (;;) {
    const family = await withChildren(pid)
    const stats = await Promise.all(family.map(statOf))
    // A process that ends between two readings would be counted twice or not at all.
    if (String(await withChildren(pid)) !== String(family)) continue
    return (
      stats.reduce((sum, stat) => sum + (stat?.own ?? 0) + (stat?.endedChildren ?? 0), 0) / ticksPerSecond
    )
  }
}

/** Returns a process and its descendants. */
export async function withChildren(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await statOf(Number(name))
    if (stat !== undefined) parents.set(Number(name), stat.parent)
  }
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  return [...family]
}
