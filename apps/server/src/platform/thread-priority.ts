import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** A third of what a thread with none is given. With ten, a tenth, a login waits for all else that a machine does. */
const niceness = 5

/**
 * Has the threads that hash passwords, and those that read files and convert pictures, give way to the one that answers:
 * on two processors two hashes would leave it a third of its time. What they do takes no longer while nobody else needs the
 * processor. Linux alone knows priorities of threads; elsewhere, and where `/proc` is closed, nothing changes.
 *
 * Node's pool has its threads from its first job on. `libuv-worker` is what libuv calls them since 1.50.
 */
export function letPoolGiveWay(): void {
  if (process.platform !== 'linux') return
  const threads = '/proc/self/task'
  try {
    for (const id of readdirSync(threads)) {
      const name = readFileSync(`${threads}/${id}/comm`, 'utf8')
      if (name.startsWith('libuv-worker')) setPriority(Number(id), niceness)
    }
  } catch {
    // A system that does not show its threads.
  }
}
