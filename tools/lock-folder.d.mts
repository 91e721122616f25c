export interface Lock {
  /** Lets a child process hold the lock too, so that killing this process alone does not free it. */
  shareWith: (pid: number) => void
}

/**
 * Runs `work` while no other process of this clone runs under the same name. A lock whose holders are gone is taken
 * over. Throws when it was not free within `timeoutSeconds`.
 */
export declare function withLock<Result>(
  name: string,
  options: { timeoutSeconds: number; onWait?: () => void },
  work: (lock: Lock) => Promise<Result>,
): Promise<Result>
