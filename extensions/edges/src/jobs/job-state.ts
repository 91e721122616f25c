import type { EdgeJob, EdgeJobState } from '@pult/sdk/api'
import type { Status } from '@pult/sdk/ui'
import { texts } from './jobs.texts.ts'

export const jobStates = [
  'waiting',
  'running',
  'done',
  'failed',
  'expired',
  'cancelled',
] as const satisfies EdgeJobState[]

export const statusOfState: Record<EdgeJobState, Status> = {
  waiting: 'paused',
  running: 'info',
  done: 'ok',
  failed: 'failed',
  expired: 'warning',
  cancelled: 'stopped',
}

/** Returns the command of a job in words. */
function commandText({ command, commandLabel }: Pick<EdgeJob, 'command' | 'commandLabel'>): string {
  switch (command.name) {
    case 'diagnostics':
    case 'restart':
      return texts.commands[command.name]
    case 'restart-instance':
      return texts.commands['restart-instance'](commandLabel ?? command.key)
    case 'run':
      return commandLabel ?? command.key
  }
}

export const titleOf = (job: EdgeJob): string => job.label ?? commandText(job)

/** Returns the values of a declared command, such as `name: night`. */
export const valuesText = ({ command }: EdgeJob): string =>
  command.name === 'run'
    ? Object.entries(command.values)
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ')
    : ''

/** Returns the state of the whole job. */
export function stateOf({ endedAt, stopped, counts }: EdgeJob): { status: Status; label: string } {
  if (endedAt === null)
    return { status: 'info', label: stopped === null ? texts.runs : texts.stopped[stopped] }
  if (stopped !== null)
    return { status: stopped === 'cancelled' ? 'stopped' : 'failed', label: texts.stopped[stopped] }
  if (counts.failed > 0)
    return { status: 'failed', label: texts.stateCount(texts.states.failed, counts.failed) }
  if (counts.expired > 0)
    return { status: 'warning', label: texts.stateCount(texts.states.expired, counts.expired) }
  return { status: 'ok', label: texts.states.done }
}
