import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { type Change, emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'
import { createProjectRepository } from './project.repository.ts'

/** The topic of the projects that a subscriber may see. */
export const projectTopic = 'projects'

/** The topic of a user's own permissions, which the console refetches after a change. */
export const accessTopic = 'me'

interface ProjectReaders {
  before: readonly string[]
  after: readonly string[]
}

/** Publishes a changed project to its readers, and its loss to the former readers. */
export const announceProject = (emit: Emit, projectId: string, readers: ProjectReaders): Promise<void> =>
  emitChange(emit, ...changesFor(projectId, readers))

/** Publishes changed projects to their readers, who are the same as before. */
export const announceProjects = (emit: Emit, projectIds: readonly string[]): Promise<void> =>
  emitChange(
    emit,
    ...projectIds.map((id) => ({
      topic: projectTopic,
      collection: 'projects' as const,
      op: 'upsert' as const,
      id,
    })),
  )

function changesFor(id: string, { before, after }: ProjectReaders): Change[] {
  const change = { topic: projectTopic, collection: 'projects' as const, id }
  const present = new Set(after)
  const lost = before.filter((personId) => !present.has(personId))
  return [
    ...(after.length > 0 ? [{ ...change, op: 'upsert' as const }] : []),
    ...(lost.length > 0 ? [{ ...change, op: 'remove' as const, audience: lost }] : []),
  ]
}

/** Publishes to users that their permissions have changed. */
export const announceAccess = (emit: Emit, personIds: Iterable<string>): Promise<void> =>
  emitChange(
    emit,
    ...[...new Set(personIds)].map((id) => ({
      topic: accessTopic,
      collection: 'credentials' as const,
      op: 'upsert' as const,
      id,
      audience: [id],
    })),
  )

/**
 * Publishes the projects of an organisation whose owner has changed, because their readers have changed as well. Takes
 * two statements for any number of projects.
 */
export async function announceProjectsOf(
  trx: Transaction<Database>,
  emit: Emit,
  { organisationId, formerOwner }: { organisationId: string; formerOwner: string },
): Promise<void> {
  const readers = await createProjectRepository(trx).readersOfOrganisation(organisationId)
  const changes = readers.flatMap(({ id, readerIds }) =>
    changesFor(id, { before: [...readerIds, formerOwner], after: readerIds }),
  )
  await emitChange(emit, ...changes)
}
