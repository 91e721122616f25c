import { type ReadTimes, retryPause } from '@pult/sdk/host'
import { type DataCardState, Remaining } from '@pult/ui'
import type { ReactNode } from 'react'
import { publicPlace } from '../public-url.ts'
import { connection, nextAttempt } from '../realtime.ts'
import { useStore } from '../use-store.ts'
import { texts } from './desk.texts.ts'
import { timeOf } from './problem-words.ts'

interface CardStateOptions {
  /** Pause between reads that succeed, in milliseconds; false if only events cause them. */
  usual: number | false
  skeleton: ReactNode
  /** Title and reason of a failure without earlier data. */
  failed: string
  failedText?: string | undefined
}

/** The result of a query that reads one page, or several. */
interface Reading extends ReadTimes {
  data: unknown
  error: Error | null
  refetch: () => Promise<unknown>
}

/** Returns the state of a card for a query with `readEvery`. The last data stays visible while a refetch fails. */
export function useCardState(reading: Reading, options: CardStateOptions): DataCardState {
  const isOffline = useStore(connection) === 'offline'
  const connectsAt = useStore(nextAttempt)
  const { data, error, dataUpdatedAt, errorUpdatedAt } = reading
  const next = errorUpdatedAt + retryPause(reading, options.usual)
  if (data === undefined) {
    if (error === null) return { kind: 'loading', skeleton: options.skeleton }
    return {
      kind: 'failed',
      title: options.failed,
      text: options.failedText,
      onRetry: () => void reading.refetch(),
      retryLabel: texts.retry,
      retryText: (
        <>
          {texts.byItself} <Remaining until={next} />
        </>
      ),
    }
  }
  if (error === null && !isOffline) return { kind: 'filled' }
  // At another address than the public one no attempt succeeds; the notice in the header names the reason.
  const isHopeless = error === null && publicPlace !== null
  return {
    kind: 'stale',
    asOf: texts.asOf(timeOf(new Date(dataUpdatedAt).toISOString())),
    text: isHopeless ? undefined : error === null || isOffline ? (
      <>
        {texts.reconnecting} <Remaining until={connectsAt} />.
      </>
    ) : (
      <>
        {texts.nextAttempt} <Remaining until={next} />.
      </>
    ),
  }
}
