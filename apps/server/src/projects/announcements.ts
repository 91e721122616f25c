import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'
import { createProjectRepository } from './project.repository.ts'

/** The topic of projects that one may see. */
export const projectTopic = 'projects'

/** The topic of what a person may do, and what that person's console asks again when it changes. */
export const accessTopic = 'me'

/** Tells the readers of a project that it changed, and those of before who are no readers any more that it is gone. */
export async function announceProject(
  emit: Emit,
  projectId: string,
  readers: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const change = { topic: projectTopic, collection: 'projects' as const, id: projectId }
  if (readers.after.length > 0) await emitChange(emit, { ...change, op: 'upsert' })
  const after = new Set(readers.after)
  const lost = readers.before.filter((id) => !after.has(id))
  if (lost.length > 0) await emitChange(emit, { ...change, op: 'remove', audience: lost })
}

/** Tells people that what they may do has changed. */
export async function announceAccess(emit: Emit, personIds: Iterable<string>): Promise<void> {
  for (const id of new Set(personIds)) {
    await emitChange(emit, {
      topic: accessTopic,
      collection: 'credentials',
      op: 'upsert',
      id,
      audience: [id],
    })
  }
}

/** Tells of the projects of an organisation whose owner has changed: who sees them has changed with that. */
export async function announceProjectsOf(
  trx: Transaction<Database>,
  emit: Emit,
  { organisationId, formerOwner }: { organisationId: string; formerOwner: string },
): Promise<void> {
  const projects = createProjectRepository(trx)
  for (const id of await projects.idsOfOrganisation(organisationId)) {
    const after = await projects.readerIds(id)
    await announceProject(emit, id, { before: [...after, formerOwner], after })
  }
}
