import { readFile } from 'node:fs/promises'
import { setInterval } from 'node:timers/promises'

/** Milliseconds between two looks. */
const interval = 20

/** By how many MB a process is larger at most while something is done than it was before. */
export async function growthOf<Result>(pid: number, work: () => Promise<Result>) {
  const before = await rssOf(pid)
  let most = before
  const done = new AbortController()
  const watching = (async () => {
    for await (const _look of setInterval(interval, undefined, { signal: done.signal }))
      most = Math.max(most, await rssOf(pid))
  })().catch(() => {})
  const result = await work().finally(() => done.abort())
  await watching
  return { result, megabytes: most - before }
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? '0') * 1024) / 1e6
}
