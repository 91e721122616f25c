import type { Task } from '@pult/contract'
import { texts } from './tasks.texts.ts'

/** Returns the name of a task's creator. A service can name any user as the creator, so it is named as well. */
export function creatorOf({ createdBy, service }: Pick<Task, 'createdBy' | 'service'>): string {
  const name = createdBy === null ? null : `${createdBy.firstname} ${createdBy.lastname}`
  if (service === undefined) return name ?? texts.bySystem
  const byService = service.label === null ? texts.byRevokedService : texts.byService(service.label)
  return name === null ? byService : `${name}, ${byService}`
}
