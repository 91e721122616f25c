import { createStoreProbe } from '#platform/files/store-probe.ts'
import type { Log } from '#platform/log.ts'
import { type Failure, failureOf } from './failures.ts'

interface FileStoreWatchParts {
  driver: { check: () => Promise<void> }
  log: Log
  /** Milliseconds between two checks. */
  interval?: number
}

/** Milliseconds between two checks: a folder is asked more often than a bucket, which bills requests. */
export const storeInterval = { folder: 5000, bucket: 60_000 }

/**
 * Checks the file store regularly, so that the log and the metrics name a failure even if no user reads the condition. A
 * failure ends neither the start nor the readiness, because other work continues.
 */
export function createFileStoreWatch({ driver, log, interval = storeInterval.bucket }: FileStoreWatchParts) {
  const ask = createStoreProbe(() => driver.check())
  let reported = ''
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<Failure | null> | undefined
  let latest: Failure | null = null

  async function check(): Promise<Failure | null> {
    const err: unknown = await ask().then(
      () => null,
      (error: unknown) => error,
    )
    const failure = err === null ? null : failureOf(err)
    latest = failure
    const text = failure?.what.de ?? ''
    if (text !== reported) {
      reported = text
      if (failure === null) log.info('files can be read and written again')
      else log.warn({ err, part: 'fileStore' }, `a part does not work: ${failure.what.de}. ${failure.fix.de}`)
    }
    return failure
  }

  /**
   * Returns why files cannot be read and written; null if they can. Logs each change once. Concurrent calls share one
   * check.
   */
  function read(): Promise<Failure | null> {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    read,

    /** Returns the result of the latest check, without a new one. */
    latest: (): Failure | null => latest,

    start(): void {
      timer = setInterval(() => void read(), interval).unref()
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await checking
    },
  }
}
export type FileStoreWatch = ReturnType<typeof createFileStoreWatch>
