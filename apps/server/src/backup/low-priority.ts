import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** A third of the usual share, so that calls of users take precedence and a busy machine still finishes its backup. */
const lowPriority = 5

/**
 * Lowers the priority of a process. Linux can share the processors between sessions first, and each process of
 * PostgreSQL has its own, so the priority of the session counts as well (decision record 144). If the system refuses,
 * nothing changes.
 */
export async function lowerPriority(pid: number): Promise<void> {
  try {
    setPriority(pid, lowPriority)
  } catch {
    // It has ended, or belongs to another user.
  }
  await writeFile(`/proc/${pid}/autogroup`, String(lowPriority)).catch(() => {})
}
