import type { ProjectState } from '@pult/contract'
import type { Status } from '@pult/ui'

/** The shape of a project's worst problem; null without a problem. */
export const statusOfProblems = ({ worst, kind }: ProjectState['problems']): Status | null =>
  kind === 'taskFailed' ? 'failed' : worst
