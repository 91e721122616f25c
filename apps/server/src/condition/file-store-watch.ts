import { noAnswerFault } from '#platform/files/file-store-fault.ts'
import type { Log } from '#platform/log.ts'
import { type Failure, failureOf } from './failures.ts'

interface FileStoreWatchParts {
  driver: { check: () => Promise<void> }
  log: Log
  /** Milliseconds between two checks. */
  interval?: number
}

/** Milliseconds that the file store may take to answer. */
const patience = 2000

/**
 * Checks the file store every minute, so that the log names a failure even if no user reads the condition. A failure
 * ends neither the start nor the readiness, because other work continues.
 */
export function createFileStoreWatch({ driver, log, interval = 60_000 }: FileStoreWatchParts) {
  let reported = ''
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<Failure | null> | undefined
  let latest: Failure | null = null

  async function check(): Promise<Failure | null> {
    const err: unknown = await storeAnswer(driver.check()).then(
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

/** Rejects if the file store does not answer in time. */
export async function storeAnswer<Value>(answer: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(noAnswerFault()), patience)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
