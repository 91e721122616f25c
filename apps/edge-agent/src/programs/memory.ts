import { membersOf, textOf } from './process-group.ts'

/**
 * Returns the bytes of memory that the processes of a group use together; 0 if the system does not report them. Pages
 * that several of them share count once.
 */
export async function memoryOfGroup(group: number, root = '/proc'): Promise<number> {
  let sum = 0
  let largestShared = 0
  for (const { pid } of await membersOf(group, root)) {
    const proportional = kilobytesIn(await textOf(root, pid, 'smaps_rollup'), 'Pss')
    if (proportional !== undefined) {
      sum += proportional
      continue
    }
    // Chromium's processes, for example, hide their pages from the agent. They most likely share the same memory.
    const status = await textOf(root, pid, 'status')
    sum += kilobytesIn(status, 'RssAnon') ?? kilobytesIn(status, 'VmRSS') ?? 0
    largestShared = Math.max(largestShared, kilobytesIn(status, 'RssShmem') ?? 0)
  }
  return (sum + largestShared) * 1024
}

function kilobytesIn(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
