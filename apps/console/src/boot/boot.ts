import { limits } from '@pult/contract'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { needsReload } from '#platform/foreign-answer.ts'
import { openDocument } from '#platform/storage.ts'
import { createStore, type Store } from '#platform/store.ts'

export interface BootStep {
  id: number
  label: string
  state: 'running' | 'done' | 'warning' | 'failed'
  /** The reason of a failure, or the missing part. */
  reason: string | null
  /** Retries a failed step. */
  retry: (() => void) | null
  /** True if the retry reloads the page, which leads to the sign-in page of a proxy. */
  isReload: boolean
  /** Another way to continue after a failure. */
  alternative: Pick<StepAlternative, 'label' | 'choose'> | null
  /** A note of the alternative, such as a countdown. */
  note: string | null
}

/** Pause before a failed step is retried automatically. Milliseconds. */
const repeatAfter = 5000

interface StepAlternative {
  label: string
  /** Runs before the step is retried. */
  choose: () => void
  /** Called while the line waits, until the signal aborts. It may take one of the ways and show a note. */
  whileWaiting?: (
    ways: { retry: () => void; choose: () => void; show: (note: string | null) => void },
    signal: AbortSignal,
  ) => void
}

/**
 * `ready`: all steps are done, and the next page can be rendered out of sight. `done` follows shortly after the last
 * step; the console or the login takes over.
 */
type BootPhase = 'running' | 'ready' | 'done'

/** Result of a step. A warning describes a missing part without which the console can still start. */
export interface StepWarning {
  warning?: string
}

/** One run of the boot. It stops when a newer run starts or the session ends. */
export interface BootRun {
  /**
   * Shows a line while the work runs. A failed line waits for one of its buttons or, if the failure may pass, for the
   * next attempt. So this either resolves successfully or stays pending.
   */
  step: <Result>(label: string, work: () => Promise<Result>, alternative?: StepAlternative) => Promise<Result>
  /** Ends the run. All steps are done, the last one at the given time of the page's clock. */
  finish: (lastStepAt?: number) => void
}

export interface Boot {
  steps: Pick<Store<readonly BootStep[]>, 'get' | 'subscribe'>
  phase: Pick<Store<BootPhase>, 'get' | 'subscribe'>
  begin: () => BootRun
  /** Stops the current run immediately because the session has ended. */
  abandon: () => void
}

/** Creates the list of start steps, in display order. */
export function createBoot(): Boot {
  const steps = createStore<readonly BootStep[]>([])
  const phase = createStore<BootPhase>('running')
  let current = 0
  let lastId = 0

  const begin = (): BootRun => {
    const run = ++current
    const isCurrent = () => run === current
    steps.set([])
    phase.set('running')

    const show = (step: BootStep) => {
      if (!isCurrent()) return
      const others = steps.get().filter((other) => other.id !== step.id)
      steps.set([...others, step])
    }

    const step = async <Result>(
      label: string,
      work: () => Promise<Result>,
      alternative?: StepAlternative,
    ): Promise<Result> => {
      const line = {
        id: ++lastId,
        label,
        reason: null,
        retry: null,
        isReload: false,
        alternative: null,
        note: null,
      }
      show({ ...line, state: 'running' })
      for (;;) {
        const [outcome] = await Promise.allSettled([work()])
        if (!isCurrent()) return never()
        if (outcome.status === 'fulfilled') {
          const reason = warningOf(outcome.value)
          show({ ...line, state: reason === null ? 'done' : 'warning', reason })
          return outcome.value
        }
        const waiting = new AbortController()
        await new Promise<void>((repeat) => {
          const retry = () => {
            if (needsReload(outcome.reason)) return openDocument()
            show({ ...line, state: 'running' })
            repeat()
          }
          const choose = () => {
            alternative?.choose()
            retry()
          }
          const showFailed = (note: string | null) =>
            show({
              ...line,
              state: 'failed',
              reason: messageOf(outcome.reason),
              retry,
              isReload: needsReload(outcome.reason),
              alternative: alternative === undefined ? null : { ...alternative, choose },
              note,
            })
          showFailed(null)
          // The line stays as it is during the attempt: its button keeps the focus, and screen readers do not repeat
          // it.
          if (alternative === undefined && mayPass(outcome.reason)) repeatLater(repeat, waiting.signal)
          alternative?.whileWaiting?.({ retry, choose, show: showFailed }, waiting.signal)
        })
        waiting.abort()
        if (!isCurrent()) return never()
      }
    }

    const finish = (lastStepAt = performance.now()) => {
      if (isCurrent()) phase.set('ready')
      const takeOver = () => {
        if (isCurrent()) phase.set('done')
      }
      const delay = lastStepAt + limits.bootDoneDelay - performance.now()
      if (delay > 0) setTimeout(takeOver, delay)
      else takeOver()
    }
    return { step, finish }
  }

  const abandon = () => {
    current += 1
    steps.set([])
    phase.set('done')
  }
  return { steps, phase, begin, abandon }
}

/** A retry cannot change a rejection. It may resolve a missing response, a server error or a failed load of code. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'NETWORK' || error.status >= 500
}

/** Retries after a pause, or as soon as the browser is online again. */
function repeatLater(repeat: () => void, signal: AbortSignal): void {
  const timer = setTimeout(repeat, repeatAfter)
  signal.addEventListener('abort', () => clearTimeout(timer))
  addEventListener('online', repeat, { signal })
}

function warningOf(result: unknown): string | null {
  return typeof result === 'object' && result !== null && 'warning' in result ? String(result.warning) : null
}

function never(): Promise<never> {
  return new Promise(() => {})
}
