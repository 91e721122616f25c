import { limits } from '@pult/contract'
import { messageOf } from '#platform/api-error.ts'
import { createStore, type Store } from '#platform/store.ts'

export interface BootStep {
  id: number
  label: string
  state: 'running' | 'done' | 'warning' | 'failed'
  /** Why it failed or what is missing. */
  reason: string | null
  /** Tries a failed step again. */
  retry: (() => void) | null
}

/**
 * `unnoticed`: it has begun, and what was there before is still to be seen. `ready`: all steps are through, and what comes
 * next can be prepared out of sight. `done` follows shortly after the last step; the console or the login takes over.
 */
export type BootPhase = 'unnoticed' | 'running' | 'ready' | 'done'

/** What a step may answer: a warning says what is missing although the console can go on. */
export interface StepWarning {
  warning?: string
}

/** One go at booting. A newer one, or the end of the session, makes it stop where it is. */
export interface BootRun {
  /** Shows a line while the work runs. A failed line waits for its Retry, so this resolves with a success or not at all. */
  step: <Result>(label: string, work: () => Promise<Result>) => Promise<Result>
  /** All steps are through, the last one at the given time of the page's clock. */
  finish: (lastStepAt?: number) => void
}

export interface Boot {
  steps: Pick<Store<readonly BootStep[]>, 'get' | 'subscribe'>
  phase: Pick<Store<BootPhase>, 'get' | 'subscribe'>
  /** `unnoticed`: milliseconds for which the page stays as it is; a start that is over by then is drawn once. */
  begin: (options?: { unnoticed?: number }) => BootRun
  /** Ends the current run at once: nobody is signed in any more. */
  abandon: () => void
}

/** Keeps the steps of the start, in the order in which they are shown. */
export function createBoot(): Boot {
  const steps = createStore<readonly BootStep[]>([])
  const phase = createStore<BootPhase>('running')
  let current = 0
  let lastId = 0

  const begin = ({ unnoticed = 0 } = {}): BootRun => {
    const run = ++current
    const isCurrent = () => run === current
    steps.set([])
    phase.set(unnoticed > 0 ? 'unnoticed' : 'running')
    if (unnoticed > 0) {
      setTimeout(() => {
        if (isCurrent() && phase.get() === 'unnoticed') phase.set('running')
      }, unnoticed)
    }

    const show = (step: BootStep) => {
      if (!isCurrent()) return
      const others = steps.get().filter((other) => other.id !== step.id)
      steps.set([...others, step])
    }

    const step = async <Result>(label: string, work: () => Promise<Result>): Promise<Result> => {
      const line = { id: ++lastId, label, reason: null, retry: null }
      for (;;) {
        show({ ...line, state: 'running' })
        const [outcome] = await Promise.allSettled([work()])
        if (!isCurrent()) return never()
        if (outcome.status === 'fulfilled') {
          const reason = warningOf(outcome.value)
          show({ ...line, state: reason === null ? 'done' : 'warning', reason })
          return outcome.value
        }
        await new Promise<void>((retry) => {
          show({ ...line, state: 'failed', reason: messageOf(outcome.reason), retry })
        })
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

function warningOf(result: unknown): string | null {
  return typeof result === 'object' && result !== null && 'warning' in result ? String(result.warning) : null
}

function never(): Promise<never> {
  return new Promise(() => {})
}
