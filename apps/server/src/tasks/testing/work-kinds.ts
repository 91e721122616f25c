import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#platform/app-error.ts'
import type { TaskKind, TaskResult, TaskWork } from '../task-kind.ts'

/** The behaviour of a test task. */
export interface Work {
  /** Milliseconds. */
  takes: number
  /** Progress reports in that time. */
  steps?: number
  /** The message of a fault or refusal. */
  fault?: string
  refusal?: string
  file?: { id: string; name: string }
}

async function work({ payload, signal, progress, info, log }: TaskWork<Work>): Promise<TaskResult> {
  const { takes, steps = 1, fault, refusal, file } = payload
  for (let step = 1; step <= steps; step += 1) {
    await delay(takes / steps, undefined, { signal })
    progress(step, steps)
    info(`step ${step}`)
    log(`did ${step}`)
  }
  if (refusal !== undefined) throw new AppError('VALIDATION_FAILED', { message: refusal })
  if (fault !== undefined) throw new Error(fault)
  return { info: 'worked', ...(file !== undefined && { file }) }
}

const kind = { kind: 'info', deadline: 600_000, concurrency: 50, check: async () => {}, run: work } as const

/** Task kinds that follow their payload: `work` restarts after a crash, `once` does not. */
export const workKinds: readonly TaskKind<Work>[] = [
  { ...kind, type: 'work', canRestart: true },
  { ...kind, type: 'once', canRestart: false },
  { ...kind, type: 'brief', canRestart: true, deadline: 300 },
  { ...kind, type: 'narrow', canRestart: true, concurrency: 1 },
]
