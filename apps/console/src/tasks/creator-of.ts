import type { Task } from '@pult/contract'
import { texts } from './tasks.texts.ts'

/** Returns the name of a task's creator. */
export const creatorOf = ({ createdBy }: Pick<Task, 'createdBy'>): string =>
  createdBy === null ? texts.bySystem : `${createdBy.firstname} ${createdBy.lastname}`
