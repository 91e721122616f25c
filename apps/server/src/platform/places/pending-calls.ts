let pending = 0

/** Counts a call to a folder until it has answered. */
export async function counted<Value>(call: () => Promise<Value>): Promise<Value> {
  pending += 1
  try {
    return await call()
  } finally {
    pending -= 1
  }
}

/** Returns whether a folder has not answered a call yet. Node waits for such calls when the process exits. */
export const hasPendingCalls = (): boolean => pending > 0

/** Ends the process, even while a folder hangs. */
export function endProcess(code: number): never {
  // Replaces this program with one that ends: an exit of Node would wait for the threads of the calls.
  if (hasPendingCalls()) process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`])
  process.exit(code)
}
