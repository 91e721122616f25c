import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'

/*
 * The start of a program waits in the kernel for the program's folder and file, and the whole agent waits with it. A
 * network mount whose server is away does not answer for hours. So both are asked before, in a thread.
 */

/** The calls of the file system. Tests replace them. */
export const paths = { stat: (path: string): Promise<unknown> => stat(path) }

/** Milliseconds for an answer. */
const limit = 3000

/** Calls that have not returned, by mount. Each has one of the four threads that Node has for files. */
const hanging = new Map<string, Promise<void>>()

/** Returns the first of these paths that does not answer. Relative ones are searched for in the folders of the system. */
export async function findSilent(asked: readonly (string | undefined)[]): Promise<string | undefined> {
  const absolute = asked.filter((path): path is string => path !== undefined && isAbsolute(path))
  if (absolute.length === 0) return undefined
  const mounts = await readMounts()
  for (const path of absolute) if (!(await answers(path, mountOf(path, mounts)))) return path
  return undefined
}

async function answers(path: string, mount: string): Promise<boolean> {
  const answer = hanging.get(mount) ?? ask(path, mount)
  hanging.set(mount, answer)
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limit)
  })
  const isInTime = await Promise.race([answer.then(() => true), isLate])
  clearTimeout(timer)
  return isInTime
}

async function ask(path: string, mount: string): Promise<void> {
  // A path that does not exist is an answer.
  await paths.stat(path).catch(() => {})
  hanging.delete(mount)
}

/** Returns the folders of the mounts. Systems other than Linux have no such list. */
async function readMounts(): Promise<string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return text.split('\n').map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '))
}

/** Returns the deepest mount that contains the path, or the path. */
function mountOf(path: string, mounts: readonly string[]): string {
  const whole = `${normalize(path)}/`
  const containing = mounts.filter((mount) => mount.length > 1 && whole.startsWith(`${mount}/`))
  return containing.toSorted((a, b) => b.length - a.length)[0] ?? (mounts.includes('/') ? '/' : path)
}
