export interface Lock {
  /** Adds a child process as a holder, so that killing only this process does not release the lock. */
  shareWith: (pid: number) => void
}

/**
 * Runs `work` under a lock that excludes other processes of this clone with the same name. Takes over the lock of dead
 * holders. Throws if the lock is not free within `timeoutSeconds`.
 */
export declare function withLock<Result>(
  name: string,
  options: { timeoutSeconds: number; onWait?: () => void },
  work: (lock: Lock) => Promise<Result>,
): Promise<Result>
