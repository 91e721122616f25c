import type { InstalledExtension } from '@pult/sdk/api/root'
import type { Status } from '@pult/sdk/ui'

/** States of extensions in the order of the filters and of the list: the worst first. */
export const extensionStates = ['doesNotRun', 'broken', 'runs', 'off'] as const
export type StateOfExtension = (typeof extensionStates)[number]

export const statusOf: Record<StateOfExtension, Status> = {
  doesNotRun: 'failed',
  broken: 'warning',
  runs: 'ok',
  off: 'stopped',
}

export function stateOf({ isEnabled, problem, versions }: InstalledExtension): StateOfExtension {
  if (versions.some(({ isRunning }) => isRunning)) return 'runs'
  if (isEnabled) return 'doesNotRun'
  return problem === null ? 'off' : 'broken'
}
