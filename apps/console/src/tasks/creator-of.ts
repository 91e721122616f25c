import type { Task } from '@pult/contract'
import { texts } from './tasks.texts.ts'

/** Who wanted a task. */
export const creatorOf = ({ createdBy }: Pick<Task, 'createdBy'>): string =>
  createdBy === null ? texts.bySystem : `${createdBy.firstname} ${createdBy.lastname}`
